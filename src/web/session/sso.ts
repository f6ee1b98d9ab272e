import { post } from '../api/client.ts'
import { useEndpoint } from '../api/queries.ts'

/** The identity providers on the sign-in page; `query` filters them if an instance has several organizations. */
export function useSsoProviders(query: { domain?: string; provider?: string } = {}) {
  return useEndpoint('/web/sso/providers', query)
}

/** URL that signs a person out at a provider after signing out here. */
export function useProviderSignOut(id: string) {
  return useEndpoint('/web/sso/:id/sign-out', { id })
}

/** Providers with an account of the signed-in person. */
export function useOwnProviders() {
  return useEndpoint('/web/sso/identities')
}

/** Redirects to a provider, which sends the browser back to `to`. @throws ApiError */
export async function startSso(
  id: string,
  purpose: 'sign_in' | 'link' | 'verify',
  to: string,
): Promise<void> {
  const { location } = await post('/web/sso/:id/start', { id, purpose, to })
  window.location.assign(location)
}

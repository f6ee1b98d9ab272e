import { post } from '../api/client.ts'
import { useEndpoint } from '../api/queries.ts'

/** The identity providers that the sign-in page offers; `of` narrows them where an instance has several organizations. */
export function useSsoProviders(query: { domain?: string; provider?: string } = {}) {
  return useEndpoint('/web/sso/providers', query)
}

/** URL that signs a person out at a provider after signing out here. */
export function useProviderSignOut(id: string) {
  return useEndpoint('/web/sso/:id/sign-out', { id })
}

/** The providers at which the signed-in person has an account. */
export function useOwnProviders() {
  return useEndpoint('/web/sso/identities')
}

/** Leaves for a provider, which sends the browser back to `to`. @throws ApiError */
export async function startSso(
  id: string,
  purpose: 'sign_in' | 'link' | 'verify',
  to: string,
): Promise<void> {
  const { location } = await post('/web/sso/:id/start', { id, purpose, to })
  window.location.assign(location)
}

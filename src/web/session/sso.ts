import { useQuery } from '@tanstack/react-query'
import { get, post } from '../api/client.ts'

/** An identity provider of this workspace. */
export interface SsoProvider {
  id: string
  name: string
}

/** The providers that the sign-in page offers. */
export function useSsoProviders() {
  return useQuery({
    queryKey: ['sso', 'providers'],
    queryFn: () => get<{ items: SsoProvider[] }>('/web/sso/providers'),
    select: ({ items }) => items,
  })
}

/** Leaves for a provider, which sends the browser back to `to`. @throws ApiError */
export async function startSso(
  id: string,
  purpose: 'sign_in' | 'link' | 'verify',
  to: string,
): Promise<void> {
  const { location } = await post<{ location: string }>(
    `/web/sso/${encodeURIComponent(id)}/start`,
    { purpose, to },
  )
  window.location.assign(location)
}

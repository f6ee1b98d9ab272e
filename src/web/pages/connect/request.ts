import type { ConnectionRequest } from '../../api/operations.ts'
import { useEndpoint } from '../../api/queries.ts'

export type { ConnectionRequest }

/** Request of a program. It is loaded once, so that people decide about exactly what they saw. */
export function useConnectionRequest(token: string) {
  return useEndpoint(
    '/web/connect/requests/:token',
    { token },
    { refetchOnWindowFocus: false, staleTime: Infinity },
  )
}

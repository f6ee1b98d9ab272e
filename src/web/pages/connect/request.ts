import type { ConnectionRequest } from '../../api/operations.ts'
import { useEndpoint } from '../../api/queries.ts'

export type { ConnectionRequest }

/** What a program asks for. It is read once, for the person decides about what they have seen. */
export function useConnectionRequest(token: string) {
  return useEndpoint(
    '/web/connect/requests/:token',
    { token },
    { refetchOnWindowFocus: false, staleTime: Infinity },
  )
}

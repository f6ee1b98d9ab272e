import { useQuery } from '@tanstack/react-query'
import { get } from '../../api/client.ts'

/** What a program asks for, as GET /web/connect/requests/{token} says it. */
export interface ConnectionRequest {
  client: {
    name: string
    source: 'document' | 'registered' | 'entered'
    publisher?: string
    uri?: string
  }
  redirect: { host: string; kind: 'web' | 'loopback' | 'app' }
  resource: string
  may_write: boolean
  may_send: boolean
  /** Areas that the address opens, `tasks:ro` for only what reads there; absent: all. */
  toolsets?: string[]
  replaces?: { id: string; name: string; created_at: string }
  expires_at: string
}

export const requestPath = (token: string) => `/web/connect/requests/${encodeURIComponent(token)}`

export function useConnectionRequest(token: string) {
  return useQuery({
    queryKey: ['web', requestPath(token)],
    queryFn: ({ signal }) => get<ConnectionRequest>(requestPath(token), {}, signal),
    refetchOnWindowFocus: false,
    staleTime: Infinity,
  })
}

import { useQuery, useQueryClient } from '@tanstack/react-query'
import type { SignedIn } from '../api/operations.ts'
import { get, post } from '../api/client.ts'

export type SessionRole = 'admin' | 'member' | 'guest'

export type { SignedIn }

export type SessionState = SignedIn | { signed_in: false; hasEnded?: true }

export const sessionKey = ['session'] as const
export const readSession = (): Promise<SessionState> => get('/web/session', {})

/** The current session; undefined before the first response. */
export function useSessionState() {
  return useQuery({ queryKey: sessionKey, queryFn: readSession, staleTime: 60_000 })
}

/** Last signed-in person: when a session ends, the page stays as it is until the sign-in is shown. */
let lastSession: SignedIn | undefined

/** Signed-in person; only for pages behind the sign-in. */
export function useSignedIn(): SignedIn {
  const { data } = useSessionState()
  if (data?.signed_in) lastSession = data
  if (!lastSession) throw new Error('This page is for people who are signed in.')
  return lastSession
}

/** The signed-in person in the form used by rows. */
export function useMe(): { id: string; title: string } {
  const { id, name } = useSignedIn().person
  return { id, title: name }
}

export function useIsAdmin(): boolean {
  return useSignedIn().person.role === 'admin'
}

/** Ends the session and clears its data. */
export function useSignOut(): () => Promise<void> {
  const client = useQueryClient()
  return async () => {
    const { provider, id_token_hint } = await post('/web/sign-out', {})
    client.clear()
    window.location.assign(signedOutAddress(provider, id_token_hint))
  }
}

/** The sign-in page after signing out. The hint is after the #, which is never sent to a server. */
function signedOutAddress(provider: string | undefined, idTokenHint: string | undefined): string {
  if (provider === undefined) return '/sign-in'
  const hint = idTokenHint === undefined ? '' : `#${hintName}=${idTokenHint}`
  return `/sign-in?left=${provider}${hint}`
}

const hintName = 'id_token_hint'

/** The ID token left in the page address after signing out, for the provider; undefined if there is none. */
export function idTokenHintIn(fragment: string): string | undefined {
  const hint = new URLSearchParams(fragment.replace(/^#/, '')).get(hintName)
  return hint !== null && /^[\w-]+(?:\.[\w-]+){2}$/.test(hint) ? hint : undefined
}

/** Address of the sign-in, which returns to the current page afterwards. */
export function signInAddress(returnPath: string, hasEnded = false): string {
  const query = new URLSearchParams()
  if (returnPath !== '/') query.set('to', returnPath)
  if (hasEnded) query.set('ended', '1')
  return query.size === 0 ? '/sign-in' : `/sign-in?${query.toString()}`
}

/** The address to open after signing in: restricted to the app's own. */
export function toAppPath(address: unknown): string {
  if (typeof address !== 'string') return '/'
  const url = URL.parse(address, window.location.origin)
  if (
    url?.origin !== window.location.origin ||
    !address.startsWith('/') ||
    address.startsWith('/sign-in')
  )
    return '/'
  // `/.//elsewhere` is on this site, but its path alone would lead to another one.
  return url.pathname.startsWith('//') ? '/' : url.pathname + url.search + url.hash
}

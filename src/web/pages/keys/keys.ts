import { useInfiniteQuery, useQueryClient } from '@tanstack/react-query'
import { get, post } from '../../api/client.ts'
import type { ListedKey, NewKey } from '../../api/operations.ts'
import { keyTexts as t } from './texts.ts'
import { confirm, notifySuccess, notifyProblem } from '../../ui/confirm.tsx'

export type Key = ListedKey
export type KeyState = Key['state']
export type { NewKey }

/** Restrictions of a key compared with its owner. */
export type KeyBounds = Pick<Key, 'read_only' | 'toolsets' | 'hold_outbound' | 'admin'>

export type KeyScope = 'me' | 'organization'

const listPath = '/web/api-keys'

export function useKeys(scope: KeyScope) {
  const pages = useInfiniteQuery({
    queryKey: ['web', listPath, scope],
    queryFn: ({ pageParam, signal }) =>
      get(listPath, { of: scope, limit: 100, cursor: pageParam || undefined }, signal),
    initialPageParam: '',
    getNextPageParam: (last) => last.next_cursor,
  })
  return { ...pages, data: pages.data?.pages.flatMap((page) => page.items) }
}

/** Reloads key data. */
export function useRefreshKeys(): () => Promise<void> {
  const client = useQueryClient()
  return () =>
    client.invalidateQueries({
      predicate: ({ queryKey: [kind, path] }) =>
        kind === 'web' && String(path).startsWith(listPath),
    })
}

/** Revokes the key after a confirmation, and reports it. */
export function useRevoke(): (key: Pick<Key, 'id' | 'name'>) => Promise<void> {
  const refresh = useRefreshKeys()
  return async ({ id, name }) => {
    const { title, text, action } = t.keys.revoke
    if (await confirm({ title, text: text(name), action })) await revokeKey(id, name, refresh)
  }
}

export async function revokeKey(
  id: string,
  name: string,
  refresh: () => Promise<void>,
): Promise<void> {
  try {
    await post('/web/api-keys/:id/revoke', { id })
    notifySuccess(t.keys.revoke.done(name))
  } catch (error) {
    notifyProblem(error)
  }
  await refresh()
}

const dayMs = 86_400_000

/** True if a key is old enough to be replaced. */
export function isDueForRotation({ kind, is_own, state, created_at }: Key): boolean {
  return (
    kind === 'key' &&
    is_own &&
    state === 'active' &&
    Date.now() - Date.parse(created_at) > 90 * dayMs
  )
}

/** True if the key gives access, now or after it is released or resumed. */
export function isUsableKey({ state }: Pick<Key, 'state'>): boolean {
  return state === 'active' || state === 'suspended' || state === 'paused'
}

/** Lifetime of a key in days; undefined: unlimited. */
export function lifetimeDays({ created_at, expires_at }: Key): number | undefined {
  return expires_at === undefined
    ? undefined
    : Math.max(1, Math.round((Date.parse(expires_at) - Date.parse(created_at)) / dayMs))
}

/** The moment a number of days from now. */
export function inDays(days: number): string {
  return new Date(Date.now() + days * dayMs).toISOString()
}

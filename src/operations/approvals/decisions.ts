import type { Id } from '../../kernel/ids.ts'
import type { App } from '../app.ts'

/**
 * Waits for the decision about a call, up to a number of milliseconds or until the signal aborts.
 * @returns whether it is decided
 */
export async function waitForDecision(
  { store, live }: Pick<App, 'store' | 'live'>,
  id: Id<'approvals'>,
  { atMost, signal }: { atMost: number; signal: AbortSignal },
): Promise<boolean> {
  const over = AbortSignal.any([signal, AbortSignal.timeout(atMost)])
  let committed = Promise.withResolvers<void>()
  const wake = () => committed.resolve()
  const leave = live.watch(wake)
  over.addEventListener('abort', wake, { once: true })
  try {
    for (;;) {
      committed = Promise.withResolvers()
      const row = await store.read
        .selectFrom('approvals')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirst()
      if (row?.state !== 'pending') return row !== undefined
      if (over.aborted) return false
      await committed.promise
    }
  } finally {
    leave()
  }
}

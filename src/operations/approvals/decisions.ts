import type { Id } from '../../kernel/ids.ts'
import type { App } from '../app.ts'

/**
 * Waits for the decision about a call, up to a number of milliseconds or until the signal aborts.
 * @returns whether it is decided
 */
export async function waitForDecision(
  { store, live }: Pick<App, 'store' | 'live'>,
  id: Id<'approvals'>,
  { atMost: timeout, signal }: { atMost: number; signal: AbortSignal },
): Promise<boolean> {
  const stopSignal = AbortSignal.any([signal, AbortSignal.timeout(timeout)])
  let nextCommit = Promise.withResolvers<void>()
  const wake = () => nextCommit.resolve()
  const unwatch = live.watch(wake)
  stopSignal.addEventListener('abort', wake, { once: true })
  try {
    for (;;) {
      nextCommit = Promise.withResolvers()
      const row = await store.read
        .selectFrom('approvals')
        .select('state')
        .where('id', '=', id)
        .executeTakeFirst()
      if (row?.state !== 'pending') return row !== undefined
      if (stopSignal.aborted) return false
      await nextCommit.promise
    }
  } finally {
    unwatch()
  }
}

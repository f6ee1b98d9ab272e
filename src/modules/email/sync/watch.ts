import { setTimeout as pause } from 'node:timers/promises'
import { exponential } from '../../../kernel/backoff.ts'
import type { Watch, WatchContext } from '../../../operations/jobs/watch.ts'
import { accountsToSync, NeedsSignIn } from '../../accounts/access.ts'
import { askInName } from './jobs.ts'
import { noteNewsOf } from './new-mail.ts'
import { closeSessions, openSession } from './sessions.ts'
import type { MailAccount } from './store.ts'

const second = 1000
const looksForAccounts = 5 * second
/** Polling interval of folders without IDLE. */
const pollsEvery = 3 * 60 * second
const pauses = exponential({ first: 1 * second, most: 5 * 60 * second })
/** Milliseconds to gather simultaneous news. */
const gathers = 60

/** Waits for news in every mailbox, each on its own connection, and then requests a sync. */
export const watchMail: Watch = {
  name: 'watch_mail',
  async run(context) {
    const watched = new Map<string, AbortController>()
    try {
      for (;;) {
        const accounts = await accountsToSync(context, 'mail')
        for (const account of accounts)
          if (!watched.has(account.id))
            watched.set(
              account.id,
              beginWatching(context, account, (id) => watched.delete(id)),
            )
        for (const [id, end] of watched)
          if (!accounts.some((account) => account.id === id)) end.abort()
        await pause(looksForAccounts, undefined, { signal: context.signal, ref: false })
      }
    } finally {
      for (const end of watched.values()) end.abort()
      closeSessions(context.outbound)
    }
  },
}

function beginWatching(
  context: WatchContext,
  account: MailAccount,
  ended: (id: string) => void,
): AbortController {
  const end = new AbortController()
  const watchContext: WatchContext = {
    ...context,
    signal: AbortSignal.any([context.signal, end.signal]),
  }
  void watchOne(watchContext, account)
    .catch((error: unknown) => {
      if (!watchContext.signal.aborted && !(error instanceof NeedsSignIn))
        context.log.error('watching a mailbox ended', { account: account.id, error: String(error) })
    })
    .finally(() => ended(account.id))
  return end
}

/** Keeps a connection open, with increasing waits after failures. */
async function watchOne(context: WatchContext, account: MailAccount): Promise<void> {
  const { signal } = context
  for (let failures = 0; !signal.aborted; ) {
    const startedAt = performance.now()
    try {
      await listen(context, account)
    } catch (error) {
      if (error instanceof NeedsSignIn) throw error // its owner was told; afterwards it is among the accounts again
      if (signal.aborted) return
      context.log.warn('a mailbox could not be watched', {
        account: account.id,
        why: (error as Error).message,
      })
    }
    failures = performance.now() - startedAt > 60 * second ? 0 : failures + 1
    if (failures > 0)
      await pause(pauses(failures, Math.random), undefined, { signal, ref: false }).catch(() => {}) // ended: the loop sees it
  }
}

/** Uses one connection until it ends. First requests what happened before. */
async function listen(context: WatchContext, account: MailAccount): Promise<void> {
  const session = await openSession(context, account, { watches: true })
  const { signal } = context
  const stop = () => session.close()
  signal.addEventListener('abort', stop, { once: true })
  let pendingCheck: NodeJS.Timeout | undefined
  const ask = () => {
    pendingCheck ??= setTimeout(() => {
      pendingCheck = undefined
      noteNewsOf(context.outbound, account.id)
      void context
        .write((system) => askInName(system, account))
        .catch((error: unknown) =>
          context.log.warn('a sync could not be requested', {
            account: account.id,
            why: String(error),
          }),
        )
    }, gathers)
  }
  const poll = setInterval(ask, pollsEvery * (0.9 + 0.2 * Math.random())).unref()
  try {
    const all = session.hasLabels
      ? (await session.folders()).folders.find(
          (folder) => folder.role === 'all' && folder.isSelectable,
        )
      : undefined
    session.onNews(ask)
    await session.open(all?.path ?? 'INBOX')
    ask()
    await session.closed
  } finally {
    signal.removeEventListener('abort', stop)
    clearInterval(poll)
    clearTimeout(pendingCheck)
    session.close()
  }
}

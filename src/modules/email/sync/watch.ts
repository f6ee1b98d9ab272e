import { setTimeout as pause } from 'node:timers/promises'
import { exponentialBackoff } from '../../../kernel/backoff.ts'
import type { Watch, WatchContext } from '../../../operations/jobs/watch.ts'
import { accountsToSync, NeedsSignIn } from '../../accounts/access.ts'
import { requestSyncAsOwner } from './jobs.ts'
import { markServerChanged } from './new-mail.ts'
import { closeSessions, openSession } from './sessions.ts'
import type { MailAccount } from './store.ts'

const second = 1000
const accountCheckInterval = 5 * second
/** Polling interval, for folders that IDLE does not watch. */
const pollInterval = 3 * 60 * second
const backoff = exponentialBackoff({ first: 1 * second, max: 5 * 60 * second })
/** Milliseconds to wait for further changes before requesting one sync for all. */
const debounceMs = 60

/** Listens for changes in every mailbox, each on its own connection, and requests syncs. */
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
        for (const [id, controller] of watched)
          if (!accounts.some((account) => account.id === id)) controller.abort()
        await pause(accountCheckInterval, undefined, { signal: context.signal, ref: false })
      }
    } finally {
      for (const controller of watched.values()) controller.abort()
      closeSessions(context.outbound)
    }
  },
}

function beginWatching(
  context: WatchContext,
  account: MailAccount,
  onEnded: (id: string) => void,
): AbortController {
  const controller = new AbortController()
  const watchContext: WatchContext = {
    ...context,
    signal: AbortSignal.any([context.signal, controller.signal]),
  }
  void watchAccount(watchContext, account)
    .catch((error: unknown) => {
      if (!watchContext.signal.aborted && !(error instanceof NeedsSignIn))
        context.log.error('watching a mailbox failed', {
          account: account.id,
          error: String(error),
        })
    })
    .finally(() => onEnded(account.id))
  return controller
}

/** Keeps a connection open, with increasing waits after failures. */
async function watchAccount(context: WatchContext, account: MailAccount): Promise<void> {
  const { signal } = context
  for (let failures = 0; !signal.aborted; ) {
    const startedAt = performance.now()
    try {
      await listen(context, account)
    } catch (error) {
      if (error instanceof NeedsSignIn) throw error // its owner was notified; signing in again restarts the watch
      if (signal.aborted) return
      context.log.warn('a mailbox could not be watched', {
        account: account.id,
        why: (error as Error).message,
      })
    }
    failures = performance.now() - startedAt > 60 * second ? 0 : failures + 1
    if (failures > 0)
      await pause(backoff(failures, Math.random), undefined, { signal, ref: false }).catch(() => {}) // aborted: the loop ends
  }
}

/** Listens on one connection until it closes. First requests a sync of earlier changes. */
async function listen(context: WatchContext, account: MailAccount): Promise<void> {
  const session = await openSession(context, account, { watches: true })
  const { signal } = context
  const stop = () => session.close()
  signal.addEventListener('abort', stop, { once: true })
  let pendingCheck: NodeJS.Timeout | undefined
  const requestSync = () => {
    pendingCheck ??= setTimeout(() => {
      pendingCheck = undefined
      markServerChanged(context.outbound, account.id)
      void context
        .write((system) => requestSyncAsOwner(system, account))
        .catch((error: unknown) =>
          context.log.warn('a sync could not be requested', {
            account: account.id,
            why: String(error),
          }),
        )
    }, debounceMs)
  }
  const poll = setInterval(requestSync, pollInterval * (0.9 + 0.2 * Math.random())).unref()
  try {
    const allMailFolder = session.hasLabels
      ? (await session.folders()).folders.find(
          (folder) => folder.role === 'all' && folder.isSelectable,
        )
      : undefined
    session.onFolderEvent(requestSync)
    await session.open(allMailFolder?.path ?? 'INBOX')
    requestSync()
    await session.closed
  } finally {
    signal.removeEventListener('abort', stop)
    clearInterval(poll)
    clearTimeout(pendingCheck)
    session.close()
  }
}

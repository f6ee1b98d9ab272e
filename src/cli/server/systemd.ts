// Reports the server's state to systemd, if systemd started it: ready, alive, stopping (sd_notify, sd_watchdog_enabled).
// Node does not support the kind of socket that systemd listens on, so systemd's own program sends the messages.

import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../kernel/log.ts'
import type { Writer } from '../../db/writer.ts'
import { askServer } from './own-server.ts'

/** Sends systemd a state such as `READY=1`. */
export type NotifyState = (fact: string) => Promise<void>

/** Parts that must work for a server to count as alive. */
export interface LivenessParts {
  writer: Pick<Writer, 'append'>
  /** URL of the server for programs on this machine. */
  url: string
}

const readyTimeoutMs = 60_000

/**
 * Notifies systemd that the server is ready, and from then on that it is alive, three times per watchdog interval
 * (WatchdogSec). A hanging server sends nothing and is restarted. Does nothing if not started by systemd.
 * WATCHDOG_PID is ignored: if a launcher fetched Node, it names the launcher.
 * @returns a function that reports that the server is stopping
 */
export async function notifySystemd(
  env: NodeJS.ProcessEnv,
  alive: LivenessParts,
  log: Pick<Log, 'warn' | 'error'>,
): Promise<() => Promise<void>> {
  if (!env.NOTIFY_SOCKET) return async () => {}
  const notify = createNotifier(env, log)
  await notifyAlive(notify, 'READY=1', alive, readyTimeoutMs)
  const ending = new AbortController()
  const watchdogMs = Number(env.WATCHDOG_USEC) / 1000
  if (watchdogMs > 0) void pingRepeatedly(notify, alive, watchdogMs / 3, ending.signal, log)
  return () => {
    ending.abort()
    return notify('STOPPING=1')
  }
}

/** Returns the function that notifies systemd. It never fails: systemd handles missing notifications. */
export function createNotifier(env: NodeJS.ProcessEnv, log: Pick<Log, 'error'>): NotifyState {
  return (fact) =>
    new Promise((resolve) => {
      execFile('systemd-notify', [fact], { env }, (error) => {
        if (error)
          log.error('systemd could not be notified and may consider the server dead', {
            fact,
            error: error.message,
          })
        resolve()
      })
    })
}

async function pingRepeatedly(
  notify: NotifyState,
  alive: LivenessParts,
  interval: number,
  signal: AbortSignal,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  while (!signal.aborted) {
    await pause(interval, undefined, { signal, ref: false }).catch(() => {}) // aborted: the loop ends
    if (!signal.aborted)
      await notifyAlive(notify, 'WATCHDOG=1', alive, interval).catch((error: Error) =>
        log.warn('the server does not answer its own health check', { error: error.message }),
      )
  }
}

/**
 * Sends one notification after the writer had its turn and a request to our own port was answered. @throws if no
 * answer comes within `timeoutMs`
 */
export async function notifyAlive(
  notify: NotifyState,
  fact: string,
  { writer, url }: LivenessParts,
  timeoutMs: number,
): Promise<void> {
  await writer.append(async () => {}).catch(() => {}) // a failing disk is no reason to restart: callers that write get an error
  await requireAnswer(url, timeoutMs)
  await notify(fact)
}

/** Any answer counts, even a dropped connection: the server is then at its connection limit. */
async function requireAnswer(url: string, maxWaitMs: number): Promise<void> {
  await askServer(`${url}/healthz`, maxWaitMs).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error
  })
}

// Reports the server's state to systemd, if systemd started it: ready, alive, stopping (sd_notify, sd_watchdog_enabled).
// Node does not support the kind of socket that systemd listens on, so systemd's own program sends the messages.

import { execFile } from 'node:child_process'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../../kernel/log.ts'
import type { Writer } from '../../db/writer.ts'
import { askServer } from './own-server.ts'

/** Tells systemd a fact such as `READY=1`. */
export type Tell = (fact: string) => Promise<void>

/** Parts that must work for a server to count as alive. */
export interface Alive {
  writer: Pick<Writer, 'append'>
  /** URL of the server for programs on this machine. */
  url: string
}

const firstPatience = 60_000

/**
 * Tells systemd that the server is ready, and from then on that it lives, three times within the time that it allows (WatchdogSec). One
 * that hangs says nothing, and is started anew. Where systemd did not start it, no one is told. WATCHDOG_PID is not looked at: where a
 * launcher fetched Node, it names the launcher.
 * @returns a function that tells that the server stops
 */
export async function notifySystemd(
  env: NodeJS.ProcessEnv,
  alive: Alive,
  log: Pick<Log, 'warn' | 'error'>,
): Promise<() => Promise<void>> {
  if (!env.NOTIFY_SOCKET) return async () => {}
  const tell = teller(env, log)
  await notifyAlive(tell, 'READY=1', alive, firstPatience)
  const ending = new AbortController()
  const allowed = Number(env.WATCHDOG_USEC) / 1000
  if (allowed > 0) void keepTelling(tell, alive, allowed / 3, ending.signal, log)
  return () => {
    ending.abort()
    return tell('STOPPING=1')
  }
}

/** The way to tell systemd. It never fails: what systemd makes of silence is for systemd. */
export function teller(env: NodeJS.ProcessEnv, log: Pick<Log, 'error'>): Tell {
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

async function keepTelling(
  tell: Tell,
  alive: Alive,
  interval: number,
  signal: AbortSignal,
  log: Pick<Log, 'warn'>,
): Promise<void> {
  while (!signal.aborted) {
    await pause(interval, undefined, { signal, ref: false }).catch(() => {}) // ended: the loop sees it
    if (!signal.aborted)
      await notifyAlive(tell, 'WATCHDOG=1', alive, interval).catch((error: Error) =>
        log.warn('the server does not answer its own health check', { error: error.message }),
      )
  }
}

/** One fact, after the writer had its turn and a request to the own port was answered. @throws where no answer comes within `patience` milliseconds */
export async function notifyAlive(
  tell: Tell,
  fact: string,
  { writer, url }: Alive,
  timeoutMs: number,
): Promise<void> {
  await writer.append(async () => {}).catch(() => {}) // a disk that refuses is no reason to start anew: anyone who writes is told
  await answered(url, timeoutMs)
  await tell(fact)
}

/** Whatever the answer is. A connection that is cut off counts: the server has as many as it takes. */
async function answered(url: string, maxWaitMs: number): Promise<void> {
  await askServer(`${url}/healthz`, maxWaitMs).catch((error: NodeJS.ErrnoException) => {
    if (error.code !== 'ECONNRESET') throw error
  })
}

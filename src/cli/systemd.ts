// What a server tells systemd, which started it: that it is ready, that it lives, that it stops (sd_notify, sd_watchdog_enabled). Node has
// no sockets of the kind that systemd listens on, so systemd's own program does the speaking.

import { execFile } from 'node:child_process'
import { request as clear } from 'node:http'
import { request as encrypted } from 'node:https'
import { setTimeout as pause } from 'node:timers/promises'
import type { Log } from '../core/log.ts'
import type { Writer } from '../db/writer.ts'

/** Tells systemd facts such as `READY=1`. Where nobody listens, it does nothing. */
export type Tell = (...facts: string[]) => Promise<void>

/** The way to tell systemd, where it asked to be told. */
export function tellerOf(env: NodeJS.ProcessEnv, log: Pick<Log, 'error'>): Tell {
  if (!env.NOTIFY_SOCKET) return async () => {}
  return (...facts) =>
    new Promise(resolve => {
      execFile('systemd-notify', facts, { env }, error => {
        if (error) log.error('systemd could not be told, and may take the server for dead', { facts, error: error.message })
        resolve()
      })
    })
}

/** What has to do its work for a server to count as alive. */
export interface Alive {
  writer: Pick<Writer, 'append'>
  /** Where the server listens. */
  url: string
}

/**
 * Tells systemd that the server lives, three times within the time that it allows (WatchdogSec): each time only after a request to the
 * server's own port was answered and the writer had its turn. One that hangs says nothing, and is started anew. WATCHDOG_PID is not
 * looked at: where a launcher fetched Node, it names the launcher.
 * @returns a function that ends it
 */
export function startWatchdog(env: NodeJS.ProcessEnv, tell: Tell, alive: Alive, log: Pick<Log, 'warn'>): () => void {
  const allowed = Number(env.WATCHDOG_USEC) / 1000
  const ending = new AbortController()
  if (allowed > 0) void beats(allowed / 3, ending.signal)
  return () => ending.abort()

  async function beats(interval: number, signal: AbortSignal): Promise<void> {
    while (!signal.aborted) {
      await beat(tell, alive, interval).catch((error: Error) => log.warn('the server does not answer itself', { error: error.message }))
      await pause(interval, undefined, { signal, ref: false }).catch(() => {}) // ended: the loop sees it
    }
  }
}

/** One sign of life, once there has been one. @throws where the own port does not answer within `patience` milliseconds */
export async function beat(tell: Tell, { writer, url }: Alive, patience: number): Promise<void> {
  await writer.append(() => {}).catch(() => {}) // a disk that refuses is no reason to start anew: whoever writes is told
  await answered(url, patience)
  await tell('WATCHDOG=1')
}

/** Whatever the answer is. A connection that is cut off counts: the server has as many as it takes. */
function answered(url: string, patience: number): Promise<void> {
  const request = url.startsWith('https:') ? encrypted : clear
  return new Promise((resolve, reject) => {
    request(`${url}/healthz`, { agent: false, rejectUnauthorized: false, signal: AbortSignal.timeout(patience) }, answer => {
      answer.resume()
      resolve()
    })
      .on('error', (error: NodeJS.ErrnoException) => (error.code === 'ECONNRESET' ? resolve() : reject(error)))
      .end()
  })
}

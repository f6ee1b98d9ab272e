import { waits } from '../../kernel/backoff.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Tries of one delivery, over three days. */
export const maxAttempts = 8
/** After so many tries without success, those behind a delivery do not wait for it any longer: it may be the one that the receiver chokes on. */
export const asideAfter = 4
/** A webhook whose endpoint has failed for so long is paused; and one of which so many deliveries in a row were given up. */
export const failingAtMost = 5 * day
export const failedAtMost = 50
/** More deliveries do not wait for one webhook. */
export const pendingAtMost = 10_000

const pauses = waits(5 * second, minute, 10 * minute, hour, 5 * hour, 18 * hour, 48 * hour)
const maxRetryAfterMs = day

/** When the next try is due after one that failed, in milliseconds; `asked`: the seconds of a Retry-After. */
export function pauseAfter(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: () => number = Math.random,
): number {
  const backoff = pauses(attempt, random)
  return retryAfterSeconds === undefined
    ? backoff
    : Math.max(backoff, Math.min(retryAfterSeconds * second, maxRetryAfterMs))
}

/** Response of an endpoint, or the failure to get one. */
export interface AttemptOutcome {
  /** undefined: no answer. */
  code: number | undefined
  retryAfter?: number | undefined
}

export const isSuccess = ({ code }: AttemptOutcome) =>
  code !== undefined && code >= 200 && code < 300
/** Anyone who answers so wants no more of them, ever. */
export const isGone = ({ code }: AttemptOutcome) => code === 410

/** Whether the endpoint is well and wants just this one not: then the others need not wait. */
export function isRefused({ code }: AttemptOutcome): boolean {
  return code !== undefined && code >= 400 && code < 500 && ![408, 425, 429].includes(code)
}

/** Retry-After in seconds, where it is a number of them or a moment. */
export function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / second))
}

import { backoffFromList } from '../../kernel/backoff.ts'

const second = 1000
const minute = 60 * second
const hour = 60 * minute
const day = 24 * hour

/** Attempts per delivery, over three days. */
export const maxAttempts = 8
/** After this many failed attempts, later deliveries no longer wait for it: the receiver may fail on this one only. */
export const asideAfter = 4
/** A webhook is paused once its endpoint has failed for this long, or for this many deliveries in a row. */
export const maxFailingMs = 5 * day
export const maxFailedDeliveries = 50
/** Maximum number of pending deliveries per webhook. */
export const maxPending = 10_000

const backoffDelay = backoffFromList(
  5 * second,
  minute,
  10 * minute,
  hour,
  5 * hour,
  18 * hour,
  48 * hour,
)
const maxRetryAfterMs = day

/** Milliseconds until the next attempt after a failed one. */
export function delayAfter(
  attempt: number,
  retryAfterSeconds: number | undefined,
  random: () => number = Math.random,
): number {
  const backoff = backoffDelay(attempt, random)
  return retryAfterSeconds === undefined
    ? backoff
    : Math.max(backoff, Math.min(retryAfterSeconds * second, maxRetryAfterMs))
}

/** Response of an endpoint, or the failure to get one. */
export interface AttemptOutcome {
  /** undefined: no response. */
  code: number | undefined
  retryAfter?: number | undefined
}

export const isSuccess = ({ code }: AttemptOutcome) =>
  code !== undefined && code >= 200 && code < 300
/** This status means that the receiver wants no more deliveries. */
export const isGone = ({ code }: AttemptOutcome) => code === 410

/** True if the endpoint works but rejects this delivery: then the others need not wait. */
export function isRefused({ code }: AttemptOutcome): boolean {
  return code !== undefined && code >= 400 && code < 500 && ![408, 425, 429].includes(code)
}

/** Retry-After in seconds, given as a number of seconds or as a date. */
export function retryAfter(text: string | undefined, now: number): number | undefined {
  if (text === undefined) return undefined
  if (/^\d{1,9}$/.test(text)) return Number(text)
  const at = Date.parse(text)
  return Number.isNaN(at) ? undefined : Math.max(0, Math.ceil((at - now) / second))
}

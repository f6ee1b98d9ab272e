// Throttles password attempts: a few at once, then with increasing pauses.

const minute = 60_000

/** Consecutive wrong attempts before the first pause; after 15 minutes without one, counting starts over. */
const freeAttempts = 5
export const freeWindowMs = 15 * minute
const maxPauseMs = 60 * minute
const retentionMs = 24 * 60 * minute

/** Consecutive wrong attempts, as stored. Moments in milliseconds since 1970. */
export interface FailedAttempts {
  failures: number
  last_at: number
  /** Attempts before this moment are refused. */
  next_at: number
}

/** Milliseconds until the next attempt; 0 if allowed now. */
export function pauseBefore(tries: FailedAttempts | undefined, now: number): number {
  const recent = countedAttempts(tries, now)
  return recent ? Math.max(0, recent.next_at - now) : 0
}

/** The attempts plus one failure: after the fifth a pause of 1 minute, then 2, 4 … 60. */
export function afterFailure(tries: FailedAttempts | undefined, now: number): FailedAttempts {
  const failures = (countedAttempts(tries, now)?.failures ?? 0) + 1
  const pause =
    failures < freeAttempts
      ? 0
      : Math.min(maxPauseMs, minute * 2 ** Math.min(10, failures - freeAttempts))
  return { failures, last_at: now, next_at: now + pause }
}

/** The attempts that still count. After the clock was set back their age is unknown; a pause of a year would be worse than none. */
function countedAttempts(
  tries: FailedAttempts | undefined,
  now: number,
): FailedAttempts | undefined {
  if (!tries || tries.last_at > now || now - tries.last_at >= retentionMs) return undefined
  return tries.failures < freeAttempts && now - tries.last_at >= freeWindowMs ? undefined : tries
}

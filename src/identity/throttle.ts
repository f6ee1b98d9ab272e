// Throttles password attempts: a few at once, then with increasing pauses.

const minute = 60_000

/** Consecutive wrong attempts without a pause, unless 15 minutes lie between. */
const freeTries = 5
export const freeWithin = 15 * minute
const maxPauseMs = 60 * minute
const forgottenAfter = 24 * 60 * minute

/** Consecutive wrong attempts, as stored. Moments in milliseconds since 1970. */
export interface Tries {
  failures: number
  last_at: number
  /** Attempts before this moment are refused. */
  next_at: number
}

/** Milliseconds until the next attempt; 0 if allowed now. */
export function pauseBefore(tries: Tries | undefined, now: number): number {
  const recent = remembered(tries, now)
  return recent ? Math.max(0, recent.next_at - now) : 0
}

/** The attempts plus one failure: after the fifth a pause of 1 minute, then 2, 4 … 60. */
export function afterFailure(tries: Tries | undefined, now: number): Tries {
  const failures = (remembered(tries, now)?.failures ?? 0) + 1
  const pause =
    failures < freeTries
      ? 0
      : Math.min(maxPauseMs, minute * 2 ** Math.min(10, failures - freeTries))
  return { failures, last_at: now, next_at: now + pause }
}

/** The attempts that still count. After the clock was set back their age is unknown; a pause of a year would be worse than none. */
function remembered(tries: Tries | undefined, now: number): Tries | undefined {
  if (!tries || tries.last_at > now || now - tries.last_at >= forgottenAfter) return undefined
  return tries.failures < freeTries && now - tries.last_at >= freeWithin ? undefined : tries
}

/** Milliseconds to wait after a failed attempt; attempts count from 1, `random` returns 0 to 1. */
export type Backoff = (attempt: number, random: () => number) => number

/**
 * Exponential backoff from the first wait to a maximum, with 20 % random jitter, so that simultaneous failures are
 * not retried together.
 */
export function exponentialBackoff({
  first = 5_000,
  max = 3600_000,
}: {
  first?: number
  max?: number
} = {}): Backoff {
  return (attempt, random) => {
    const wait = Math.min(max, first * 2 ** Math.min(attempt - 1, 40))
    return Math.round(wait * (0.8 + 0.4 * random()))
  }
}

/** A fixed list of waits, the last one repeated; with the same jitter. */
export function backoffFromList(...list: [number, ...number[]]): Backoff {
  return (attempt, random) =>
    Math.round(list[Math.min(attempt, list.length) - 1]! * (0.8 + 0.4 * random()))
}

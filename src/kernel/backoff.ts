/** Milliseconds to wait after a failed attempt; attempts count from 1, `random` returns 0 to 1. */
export type Backoff = (attempt: number, random: () => number) => number

/** Doubled each time from the first wait up to the most, each made shorter or longer by a fifth at random, so that what failed together is not tried together. */
export function exponential({
  first = 5_000,
  most = 3600_000,
}: {
  first?: number
  most?: number
} = {}): Backoff {
  return (attempt, random) => {
    const wait = Math.min(most, first * 2 ** Math.min(attempt - 1, 40))
    return Math.round(wait * (0.8 + 0.4 * random()))
  }
}

/** Waits written out one by one, the last one for ever after; with the same jitter. */
export function waits(...list: [number, ...number[]]): Backoff {
  return (attempt, random) =>
    Math.round(list[Math.min(attempt, list.length) - 1]! * (0.8 + 0.4 * random()))
}

/** The only source of time. Instants come from now(); durations from monotonic(), which never steps back. */
export interface Clock {
  /** Milliseconds since 1970 UTC. */
  now(): number
  /** Milliseconds since an arbitrary moment, with fractions. */
  monotonic(): number
}

export const systemClock: Clock = { now: () => Date.now(), monotonic: () => performance.now() }

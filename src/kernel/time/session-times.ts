const hour = 3600_000

/** A session ends after this time without use, */
export const idleTime = 12 * hour
/** and in any case after this time. */
export const wholeTime = 7 * 24 * hour

const hour = 3600_000

/** A session ends after this time without use. */
export const idleTime = 12 * hour
/** A session ends after this time even if it is in use. */
export const wholeTime = 7 * 24 * hour

const hour = 3600_000

/** A session ends when it is not used for so long, */
export const idleTime = 12 * hour
/** and in any case after this. */
export const wholeTime = 7 * 24 * hour

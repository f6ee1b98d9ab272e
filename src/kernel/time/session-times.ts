const hour = 3600_000

/** A session ends after this time without use. */
export const maxIdleMs = 12 * hour
/** A session ends after this time even if it is in use. */
export const maxSessionMs = 7 * 24 * hour

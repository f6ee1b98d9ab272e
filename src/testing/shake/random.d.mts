/** Random numbers from 0 to below 1, the same for the same seed. */
export function randomOf(seed: string): () => number

/** A delay in milliseconds: most are none, some are short, few are long. */
export function delayOf(random: () => number): number

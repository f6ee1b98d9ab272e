// Random numbers, the same for the same seed.

/**
 * @param {string} seed
 * @returns {() => number} numbers from 0 to below 1 (mulberry32 over an FNV-1a hash of the seed)
 */
export function randomOf(seed) {
  let state = 2_166_136_261
  for (const char of seed) state = Math.imul(state ^ char.codePointAt(0), 16_777_619)
  return () => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state)
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32
  }
}

/** A delay in milliseconds: mostly none, sometimes short, rarely long. */
export function delayOf(random) {
  const kind = random()
  if (kind < 0.6) return 0
  return kind < 0.97 ? random() * 12 : random() * 120
}

/** A seeded generator (mulberry32) of random integers from 0 to `sides` - 1. */
export function seededDice(seed: number): (sides: number) => number {
  let state = seed * 0x9e3779b9
  return (sides) => {
    state = (state + 0x6d2b79f5) | 0
    let mixed = Math.imul(state ^ (state >>> 15), state | 1)
    mixed ^= mixed + Math.imul(mixed ^ (mixed >>> 7), mixed | 61)
    return ((mixed ^ (mixed >>> 14)) >>> 0) % sides
  }
}

// Background writes in slices: each transaction ends after a few milliseconds or rows, and waiting calls go first.

import type { Writer } from '../db/writer.ts'

/** Limits of one background write transaction. */
export interface Slice {
  ms: number
  steps: number
  /** Elapsed time in milliseconds. */
  elapsed: () => number
}

/** A write in steps, each a statement with few rows; the transaction may end between any two of them. */
export type Steps = Generator<unknown, void>

/** Four milliseconds leave one for the commit. */
export const defaultSlice: Slice = { ms: 4, steps: 250, elapsed: () => performance.now() }

/** A write of one step. */
export function* singleStep(work: () => unknown): Steps {
  yield work()
}

/**
 * Runs the steps in as many transactions as they need.
 * @returns false if `isOver` stopped it before the last step
 */
export async function writeSlices(
  writer: Writer,
  steps: Steps,
  { ms, steps: maxSteps, elapsed }: Slice,
  isOver: () => boolean,
): Promise<boolean> {
  for (let isDone = false; !isDone; ) {
    if (isOver()) return false
    isDone = await writer.background(async () => {
      const until = elapsed() + ms
      for (let n = 0; n < maxSteps && elapsed() < until; n++) if (steps.next().done) return true
      return false
    })
  }
  return true
}

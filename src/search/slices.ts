// Background writes in slices: each transaction ends after a few milliseconds or rows, and waiting calls go first.

import type { Writer } from '../db/writer.ts'

/** Limits of one background write transaction. */
export interface SliceLimits {
  ms: number
  steps: number
  /** Elapsed time in milliseconds. */
  elapsed: () => number
}

/** A write in steps, each a statement with few rows; the transaction may end between any two of them. */
export type WriteSteps = Generator<unknown, void>

/** Four milliseconds of writing, which leaves one for the commit if a call is to wait five at most. */
export const defaultSlice: SliceLimits = { ms: 4, steps: 250, elapsed: () => performance.now() }

/** A write of one step. */
export function* singleStep(work: () => unknown): WriteSteps {
  yield work()
}

/**
 * Runs the steps in as many transactions as they need.
 * @returns false if `isOver` stopped it before the last step
 */
export async function writeSlices(
  writer: Writer,
  steps: WriteSteps,
  { ms, steps: maxSteps, elapsed }: SliceLimits,
  isStopped: () => boolean,
): Promise<boolean> {
  for (let isDone = false; !isDone; ) {
    if (isStopped()) return false
    isDone = await writer.background(async () => {
      const deadline = elapsed() + ms
      for (let n = 0; n < maxSteps && elapsed() < deadline; n++) if (steps.next().done) return true
      return false
    })
  }
  return true
}

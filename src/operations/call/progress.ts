import { omitNullish } from '../../kernel/present.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { ReadContext } from '../context.ts'
import { cancelledRefusal } from '../../db/failures.ts'

/** Progress of a call. */
export interface ProgressNotice {
  progress: number
  /** Final value of progress, if known. */
  total?: number
  message?: string
}

/** Minimum milliseconds between notices. */
const minInterval = 100

/**
 * Reports the progress of a call: each notice exceeds the last, at most ten per second, and none reports completion,
 * because the answer follows.
 */
export class Progress {
  readonly #send: (notice: ProgressNotice) => void
  readonly #clock: Clock
  #last = -Infinity
  #reportedAt = -Infinity

  constructor(send: (notice: ProgressNotice) => void, clock: Clock) {
    this.#send = send
    this.#clock = clock
  }

  report(done: number, total: number | undefined, message: string | undefined): void {
    if (!(done > this.#last) || (total !== undefined && done >= total)) return
    const now = this.#clock.monotonic()
    if (now - this.#reportedAt < minInterval) return
    this.#last = done
    this.#reportedAt = now
    this.#send(
      omitNullish({
        progress: done,
        total,
        message: message === undefined ? undefined : message.slice(0, 200),
      }),
    )
  }
}

/**
 * Called between the batches of a long read: yields to other work, and cancels the call if its caller disconnected. Does
 * neither inside a write, which holds the writer until it is complete.
 * @throws Refusal cancelled
 */
export async function yieldOrCancel(ctx: ReadContext): Promise<void> {
  if ('add' in ctx) return
  await new Promise((resolve) => setImmediate(resolve))
  if (ctx.signal?.aborted) throw cancelledRefusal()
}

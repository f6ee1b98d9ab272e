import { present } from '../../kernel/present.ts'
import type { Clock } from '../../kernel/time/clock.ts'
import type { ReadContext } from '../context.ts'
import { cancelled } from '../../db/failures.ts'

/** Progress of a call. */
export interface Notice {
  progress: number
  /** Final value of progress, if known. */
  total?: number
  message?: string
}

/** Milliseconds from one notice to the next. */
const pause = 100

/**
 * Passes on how far a call is, as far as that is news: each notice is beyond the last, ten a second at most, and none says
 * that all is done, which the answer itself says a moment later.
 */
export class Progress {
  readonly #tell: (notice: Notice) => void
  readonly #clock: Clock
  #last = -Infinity
  #reportedAt = -Infinity

  constructor(tell: (notice: Notice) => void, clock: Clock) {
    this.#tell = tell
    this.#clock = clock
  }

  report(done: number, total: number | undefined, message: string | undefined): void {
    if (!(done > this.#last) || (total !== undefined && done >= total)) return
    const now = this.#clock.monotonic()
    if (now - this.#reportedAt < pause) return
    this.#last = done
    this.#reportedAt = now
    this.#tell(
      present({
        progress: done,
        total,
        message: message === undefined ? undefined : message.slice(0, 200),
      }),
    )
  }
}

/**
 * Between the pieces of a long read: lets others have their turn, and ends the call where its caller has gone meanwhile.
 * Inside a write it does neither: a write holds the writer until it is complete, and lets no other work run.
 * @throws Refusal cancelled
 */
export async function stopIfGone(ctx: ReadContext): Promise<void> {
  if ('add' in ctx) return
  await new Promise((go) => setImmediate(go))
  if (ctx.signal?.aborted) throw cancelled()
}

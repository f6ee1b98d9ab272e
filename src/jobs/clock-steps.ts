import type { App } from '../operations/app.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { dayLength } from '../kernel/time/times.ts'
import { recomputeSchedules } from './schedules.ts'

const tolerance = 60_000

/** Detects that the wall clock was set, by comparing it with the monotonic one. */
export class ClockSteps {
  readonly #clock: Clock
  #offset: number

  constructor(clock: Clock) {
    this.#clock = clock
    this.#offset = clock.now() - clock.monotonic()
  }

  /** Whether it was set since the last `take`. */
  get hasStepped(): boolean {
    return Math.abs(this.#step()) >= tolerance
  }

  /** Milliseconds by which it was set since the last call, or 0. */
  takeStep(): number {
    const step = this.#step()
    if (Math.abs(step) < tolerance) return 0
    this.#offset = this.#clock.now() - this.#clock.monotonic()
    return step
  }

  #step(): number {
    return Math.round(this.#clock.now() - this.#clock.monotonic() - this.#offset)
  }
}

/**
 * After the clock was set back, or at a start, when this is unknown: jobs that were to wait a while wait that long
 * from now, not until the old time is reached again. A job postponed for longer than a day has a date and keeps it.
 */
export async function correctDueTimes(app: App): Promise<void> {
  const { write, writer } = app.store
  const now = app.clock.now()
  await writer.run(async () => {
    const update = write.updateTable('jobs').set((eb) => ({
      run_at: eb(eb('run_at', '-', eb.ref('queued_at')), '+', now),
      queued_at: now,
    }))
    await update
      .where('state', '=', 'waiting')
      .where('queued_at', '>', now + tolerance)
      .where((eb) => eb('run_at', '<=', eb('queued_at', '+', dayLength)))
      .execute()
  })
  await recomputeSchedules(app)
}

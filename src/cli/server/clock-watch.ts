import type { Clock } from '../../kernel/time/clock.ts'
import type { Log } from '../../kernel/log.ts'

const minuteLength = 60_000
const dayLength = 24 * 60 * minuteLength
/** After a longer downtime than this, the clock may just as well be wrong. */
const maxSleepMs = 45 * dayLength

/**
 * Compares the wall clock with the monotonic one. After a jump, nothing is permanently erased until a day has passed:
 * a clock a year ahead would expire everything at once, and is usually corrected.
 */
export class ClockWatch {
  readonly #clock: Clock
  readonly #log: Log
  /** Trusted difference of wall clock and monotonic clock. */
  #offset: number
  #doubtedSince: number | undefined

  /** `lastSeen`: the newest moment in the database; undefined if there is none. */
  constructor(clock: Clock, log: Log, lastSeen: number | undefined) {
    this.#clock = clock
    this.#log = log
    this.#offset = this.#offsetNow()
    const rest = lastSeen === undefined ? 0 : clock.now() - lastSeen
    if (rest > maxSleepMs || rest < -dayLength) {
      this.#offset -= rest
      this.look()
    }
  }

  /** Whether data may be permanently erased by this clock. */
  get isTrusted(): boolean {
    this.look()
    return this.#doubtedSince === undefined
  }

  /** Compares the clocks; call it periodically. */
  look(): void {
    const jump = this.#offsetNow() - this.#offset
    const monotonic = this.#clock.monotonic()
    if (Math.abs(jump) < dayLength) return this.#settle(jump)
    if (this.#doubtedSince === undefined) {
      this.#doubtedSince = monotonic
      this.#log.warn(
        'the clock jumped; nothing is permanently deleted until it is set back or a day has passed',
        { days: Math.round(jump / dayLength) },
      )
    } else if (monotonic - this.#doubtedSince > dayLength) this.#settle(jump)
  }

  #settle(jump: number): void {
    if (this.#doubtedSince !== undefined) this.#log.info('the clock is trusted again')
    else if (Math.abs(jump) > 5 * minuteLength)
      this.#log.warn('the clock was set', { minutes: Math.round(jump / minuteLength) })
    this.#offset += jump
    this.#doubtedSince = undefined
  }

  #offsetNow(): number {
    return this.#clock.now() - this.#clock.monotonic()
  }
}

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
  #distrustedSince: number | undefined

  /** `lastSeen`: the newest moment in the database; undefined if there is none. */
  constructor(clock: Clock, log: Log, lastSeen: number | undefined) {
    this.#clock = clock
    this.#log = log
    this.#offset = this.#offsetNow()
    const downtimeMs = lastSeen === undefined ? 0 : clock.now() - lastSeen
    if (downtimeMs > maxSleepMs || downtimeMs < -dayLength) {
      this.#offset -= downtimeMs
      this.check()
    }
  }

  /** Whether data may be permanently erased by this clock. */
  get isTrusted(): boolean {
    this.check()
    return this.#distrustedSince === undefined
  }

  /** Compares the clocks; call it periodically. */
  check(): void {
    const jump = this.#offsetNow() - this.#offset
    const monotonic = this.#clock.monotonic()
    if (Math.abs(jump) < dayLength) return this.#accept(jump)
    if (this.#distrustedSince === undefined) {
      this.#distrustedSince = monotonic
      this.#log.warn(
        'the clock jumped; nothing is permanently deleted until it is set back or a day has passed',
        { days: Math.round(jump / dayLength) },
      )
    } else if (monotonic - this.#distrustedSince > dayLength) this.#accept(jump)
  }

  #accept(jump: number): void {
    if (this.#distrustedSince !== undefined) this.#log.info('the clock is trusted again')
    else if (Math.abs(jump) > 5 * minuteLength)
      this.#log.warn('the clock was set', { minutes: Math.round(jump / minuteLength) })
    this.#offset += jump
    this.#distrustedSince = undefined
  }

  #offsetNow(): number {
    return this.#clock.now() - this.#clock.monotonic()
  }
}

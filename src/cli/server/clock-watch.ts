import type { Clock } from '../../kernel/time/clock.ts'
import type { Log } from '../../kernel/log.ts'

const minuteLength = 60_000
const dayLength = 24 * 60 * minuteLength
/** A server that was off for longer than this may just as well have a clock that is wrong. */
const maxSleepMs = 45 * dayLength

/**
 * Watches the wall clock against the one that only ever goes on. After a jump, nothing is erased for good until a day has passed: a
 * clock that is a year ahead would have everything expire at once, and it is usually set right again.
 */
export class ClockWatch {
  readonly #clock: Clock
  readonly #log: Log
  /** Wall clock minus monotonic clock, as it is trusted. */
  #offset: number
  #doubtedSince: number | undefined

  /** `lastSeen`: the newest moment that the database knows; undefined where it knows none. */
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

  /** Whether what is erased for good may be erased by this clock. */
  get isTrusted(): boolean {
    this.look()
    return this.#doubtedSince === undefined
  }

  /** Compares the clocks; to be called now and then. */
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

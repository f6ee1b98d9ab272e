import { BoundedMap } from '../kernel/bounded-map.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { fullBucket, takeTokens, waitFor, type Bucket, type Quota } from './bucket.ts'
import { networkOf } from './addresses.ts'
import { quantity } from '../kernel/text/quantity.ts'

const maxBuckets = 50_000

/** Rate limits per IP address: a bucket for each of the most recent ones. */
export class AddressRates {
  readonly #clock: Clock
  readonly #isEnforced: boolean
  readonly #buckets = new BoundedMap<string, Bucket>(maxBuckets)

  constructor({ limits }: { limits: boolean }, clock: Clock) {
    this.#clock = clock
    this.#isEnforced = limits
  }

  /** Takes one unit; returns the seconds until one is available, 0 if it was taken. */
  tryTake(ip: string, purpose: string, quota: Quota): number {
    if (!this.#isEnforced) return 0
    const name = `${purpose} ${networkOf(ip)}`
    const now = this.#clock.monotonic()
    const bucket = this.#buckets.get(name) ?? fullBucket(quota, now)
    this.#buckets.set(name, bucket)
    return takeTokens(bucket, quota, 1, now)
      ? 0
      : Math.max(1, Math.ceil(waitFor(bucket, quota, 1) / 1000))
  }

  /** Takes one unit. @throws Refusal rate_limited */
  take(ip: string, what: string, quota: Quota): void {
    const wait = this.tryTake(ip, what, quota)
    if (wait > 0)
      throw new Refusal('rate_limited', 'Too many attempts.', {
        retry_after_seconds: wait,
        hint: `Wait ${quantity(wait, 'second')}.`,
      })
  }
}

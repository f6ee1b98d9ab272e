import type { Clock } from '../kernel/time/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Settings } from '../config/settings.ts'
import { fill, fullBucket, takeTokens, waitFor, type Bucket, type Quota } from './bucket.ts'
import type { KeyWatch } from './watch.ts'

/** Rate limit of the key as reported with an answer: the values of RateLimit-Policy and RateLimit. */
export interface RateLimitStatus {
  policy: string
  limit: string
}

/** Remaining quota of a key. */
export interface Remaining {
  per_minute: number
  remaining: number
  /** Milliseconds since 1970 at which its full burst is available again. */
  resets_at: number
}

/** Token buckets of keys and organizations. */
export class Rates {
  readonly #clock: Clock
  readonly #key: Quota | undefined
  readonly #organization: Quota | undefined
  readonly #organizations = new Map<string, Bucket>()
  readonly #concurrent: number

  constructor(settings: Settings, clock: Clock) {
    this.#clock = clock
    this.#key = quota(settings, settings.rate_key, settings.rate_burst)
    this.#organization = quota(
      settings,
      settings.rate_organization,
      Math.ceil(settings.rate_organization / 5),
    )
    this.#concurrent = settings.limits ? settings.rate_concurrent : 0
  }

  /** Takes a request of a key; returns the refusal if it is not allowed now. */
  take(watch: KeyWatch, org: string, weight: number): Refusal | undefined {
    const now = this.#clock.monotonic()
    const keyBucket = this.#key && (watch.bucket ??= fullBucket(this.#key, now))
    if (keyBucket && !takeTokens(keyBucket, this.#key!, weight, now))
      return exceeded('key', 'This key', this.#key!, keyBucket, weight)
    const all = this.#organization && this.#bucketOf(org, now)
    if (!all || takeTokens(all, this.#organization!, weight, now)) return undefined
    if (keyBucket) keyBucket.tokens += Math.min(weight, this.#key!.burst) // what was refused was not used
    return exceeded(
      'organization',
      'The keys of this organization together',
      this.#organization!,
      all,
      weight,
    )
  }

  standing({ bucket }: KeyWatch, refusal?: Refusal): RateLimitStatus | undefined {
    if (!this.#key || !bucket) return undefined
    const { retry_after_seconds } = refusal?.more ?? {}
    const seconds =
      retry_after_seconds ?? Math.ceil(waitFor(bucket, this.#key, this.#key.burst) / 1000)
    return {
      policy: `"key";q=${this.#key.perMinute};w=60`,
      limit: `"key";r=${Math.floor(bucket.tokens)};t=${seconds}`,
    }
  }

  /** Returns the remaining quota of a key; undefined if keys are not limited. */
  remaining(watch: KeyWatch | undefined): Remaining | undefined {
    if (!this.#key) return undefined
    const now = this.#clock.monotonic()
    const bucket = watch?.bucket ?? fullBucket(this.#key, now)
    fill(bucket, this.#key, now)
    return {
      per_minute: this.#key.perMinute,
      remaining: Math.floor(bucket.tokens),
      resets_at: Math.ceil(this.#clock.now() + waitFor(bucket, this.#key, this.#key.burst)),
    }
  }

  /** @throws Refusal rate_limited if a key has too many concurrent calls */
  begin(watch: KeyWatch): void {
    if (this.#concurrent > 0 && watch.underWay >= this.#concurrent) {
      throw new Refusal(
        'rate_limited',
        `This key already has ${this.#concurrent} calls in progress.`,
        {
          hint: 'Wait for one of them to finish.',
          retry_after_seconds: 1,
          context: { 'violated-policies': ['concurrent'] },
        },
      )
    }
    watch.underWay++
  }

  #bucketOf(org: string, now: number): Bucket {
    let bucket = this.#organizations.get(org)
    if (!bucket) this.#organizations.set(org, (bucket = fullBucket(this.#organization!, now)))
    return bucket
  }
}

function quota({ limits }: Settings, perMinute: number, burst: number): Quota | undefined {
  return limits && perMinute > 0 ? { perMinute, burst: burst || perMinute } : undefined
}

function exceeded(
  policy: string,
  who: string,
  quota: Quota,
  bucket: Bucket,
  weight: number,
): Refusal {
  const seconds = Math.max(1, Math.ceil(waitFor(bucket, quota, weight) / 1000))
  return new Refusal(
    'rate_limited',
    `Rate limit exceeded: ${who} may make ${quota.perMinute} requests a minute and ${quota.burst} at once.`,
    {
      hint: `Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
      retry_after_seconds: seconds,
      context: { 'violated-policies': [policy] },
    },
  )
}

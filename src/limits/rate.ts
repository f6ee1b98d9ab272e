import type { Clock } from '../kernel/time/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Settings } from '../config/settings.ts'
import { fill, fullBucket, takeTokens, waitFor, type Bucket, type Quota } from './bucket.ts'
import type { KeyActivity } from './watch.ts'

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
  readonly #keyQuota: Quota | undefined
  readonly #organizationQuota: Quota | undefined
  readonly #organizationBuckets = new Map<string, Bucket>()
  readonly #maxConcurrent: number

  constructor(settings: Settings, clock: Clock) {
    this.#clock = clock
    this.#keyQuota = quota(settings, settings.rate_key, settings.rate_burst)
    this.#organizationQuota = quota(
      settings,
      settings.rate_organization,
      Math.ceil(settings.rate_organization / 5),
    )
    this.#maxConcurrent = settings.limits ? settings.rate_concurrent : 0
  }

  /** Takes a request of a key; returns the refusal if it is not allowed now. */
  take(watch: KeyActivity, org: string, weight: number): Refusal | undefined {
    const now = this.#clock.monotonic()
    const keyBucket = this.#keyQuota && (watch.bucket ??= fullBucket(this.#keyQuota, now))
    if (keyBucket && !takeTokens(keyBucket, this.#keyQuota!, weight, now))
      return rateRefusal('key', 'This key', this.#keyQuota!, keyBucket, weight)
    const organizationBucket = this.#organizationQuota && this.#bucketOf(org, now)
    if (
      !organizationBucket ||
      takeTokens(organizationBucket, this.#organizationQuota!, weight, now)
    )
      return undefined
    if (keyBucket) keyBucket.tokens += Math.min(weight, this.#keyQuota!.burst) // a refused request takes no tokens
    return rateRefusal(
      'organization',
      'The keys of this organization together',
      this.#organizationQuota!,
      organizationBucket,
      weight,
    )
  }

  status({ bucket }: KeyActivity, refusal?: Refusal): RateLimitStatus | undefined {
    if (!this.#keyQuota || !bucket) return undefined
    const { retry_after_seconds } = refusal?.more ?? {}
    const seconds =
      retry_after_seconds ?? Math.ceil(waitFor(bucket, this.#keyQuota, this.#keyQuota.burst) / 1000)
    return {
      policy: `"key";q=${this.#keyQuota.perMinute};w=60`,
      limit: `"key";r=${Math.floor(bucket.tokens)};t=${seconds}`,
    }
  }

  /** Returns the remaining quota of a key; undefined if keys are not limited. */
  remaining(watch: KeyActivity | undefined): Remaining | undefined {
    if (!this.#keyQuota) return undefined
    const now = this.#clock.monotonic()
    const bucket = watch?.bucket ?? fullBucket(this.#keyQuota, now)
    fill(bucket, this.#keyQuota, now)
    return {
      per_minute: this.#keyQuota.perMinute,
      remaining: Math.floor(bucket.tokens),
      resets_at: Math.ceil(
        this.#clock.now() + waitFor(bucket, this.#keyQuota, this.#keyQuota.burst),
      ),
    }
  }

  /** @throws Refusal rate_limited if a key has too many concurrent calls */
  begin(watch: KeyActivity): void {
    if (this.#maxConcurrent > 0 && watch.runningCalls >= this.#maxConcurrent) {
      throw new Refusal(
        'rate_limited',
        `This key already has ${this.#maxConcurrent} calls in progress.`,
        {
          hint: 'Wait for one of them to finish.',
          retry_after_seconds: 1,
          context: { 'violated-policies': ['concurrent'] },
        },
      )
    }
    watch.runningCalls++
  }

  #bucketOf(org: string, now: number): Bucket {
    let bucket = this.#organizationBuckets.get(org)
    if (!bucket)
      this.#organizationBuckets.set(org, (bucket = fullBucket(this.#organizationQuota!, now)))
    return bucket
  }
}

function quota({ limits }: Settings, perMinute: number, burst: number): Quota | undefined {
  return limits && perMinute > 0 ? { perMinute, burst: burst || perMinute } : undefined
}

function rateRefusal(
  policy: string,
  subject: string,
  quota: Quota,
  bucket: Bucket,
  weight: number,
): Refusal {
  const seconds = Math.max(1, Math.ceil(waitFor(bucket, quota, weight) / 1000))
  return new Refusal(
    'rate_limited',
    `Rate limit exceeded: ${subject} may make ${quota.perMinute} requests a minute and ${quota.burst} at once.`,
    {
      hint: `Try again in ${seconds} second${seconds === 1 ? '' : 's'}.`,
      retry_after_seconds: seconds,
      context: { 'violated-policies': [policy] },
    },
  )
}

// Token buckets. What they let through in any time is never more than their rate in it and one burst.

/** Rate in units a minute, and burst. */
export interface Quota {
  perMinute: number
  burst: number
}

export interface Bucket {
  tokens: number
  /** Milliseconds of a monotonic clock. */
  at: number
}

const minute = 60_000

export function fullBucket({ burst }: Quota, now: number): Bucket {
  return { tokens: burst, at: now }
}

/** Takes so many units; false where they are not there, and then none is taken. What weighs more than a burst takes a whole one. */
export function takeTokens(bucket: Bucket, quota: Quota, weight: number, now: number): boolean {
  fill(bucket, quota, now)
  const needed = Math.min(weight, quota.burst)
  if (bucket.tokens < needed) return false
  bucket.tokens -= needed
  return true
}

/** Brings the units that came since. */
export function fill(bucket: Bucket, { perMinute, burst }: Quota, now: number): void {
  if (now <= bucket.at) return
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perMinute) / minute)
  bucket.at = now
}

/** Milliseconds until so many units are there, by what the bucket had when it was last asked. */
export function waitFor(bucket: Bucket, { perMinute, burst }: Quota, weight: number): number {
  return Math.max(0, ((Math.min(weight, burst) - bucket.tokens) * minute) / perMinute)
}

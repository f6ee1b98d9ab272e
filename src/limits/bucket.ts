// Token buckets. In any period, they allow at most their rate plus one burst.

/** Rate in units per minute, and burst. */
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

/** Takes units; if there are too few, takes none and returns false. A weight above the burst takes a full burst. */
export function takeTokens(bucket: Bucket, quota: Quota, weight: number, now: number): boolean {
  fill(bucket, quota, now)
  const needed = Math.min(weight, quota.burst)
  if (bucket.tokens < needed) return false
  bucket.tokens -= needed
  return true
}

/** Adds the units accrued since the last call. */
export function fill(bucket: Bucket, { perMinute, burst }: Quota, now: number): void {
  if (now <= bucket.at) return
  bucket.tokens = Math.min(burst, bucket.tokens + ((now - bucket.at) * perMinute) / minute)
  bucket.at = now
}

/** Milliseconds until enough units are available, from the bucket's last state. */
export function waitFor(bucket: Bucket, { perMinute, burst }: Quota, weight: number): number {
  return Math.max(0, ((Math.min(weight, burst) - bucket.tokens) * minute) / perMinute)
}

import { BoundedMap } from '../kernel/bounded-map.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { Settings } from '../config/settings.ts'
import { fullBucket, takeTokens, waitFor, type Bucket, type Quota } from './bucket.ts'
import type { AbuseFindings } from './findings.ts'
import { rules } from './rules.ts'

const minute = 60_000
const maxAddresses = 50_000

interface Sender {
  bucket: Bucket
  failures: number
  /** Time of the first of these failures on the monotonic clock, which starts near 0 with the process. */
  failedAt: number
  blockedUntil: number
}

/** Limits requests without a valid key, by IP address. A valid key is served whatever its address did. */
export class Addresses {
  readonly #settings: Settings
  readonly #clock: Clock
  readonly #findings: AbuseFindings
  readonly #quota: Quota
  readonly #senders = new BoundedMap<string, Sender>(maxAddresses)

  constructor(settings: Settings, clock: Clock, findings: AbuseFindings) {
    this.#settings = settings
    this.#clock = clock
    this.#findings = findings
    this.#quota = { perMinute: settings.rate_address, burst: settings.rate_address }
  }

  /** Counts a request that needs no key, or had none. @throws Refusal rate_limited */
  recordRequest(ip: string): void {
    if (this.#settings.limits) this.#charge(this.#senderOf(ip))
  }

  /** Counts an invalid key or sign-in. @throws Refusal rate_limited, instead of reporting that it is invalid */
  recordFailure(ip: string): void {
    if (!this.#settings.limits) return
    const sender = this.#senderOf(ip)
    const now = this.#clock.monotonic()
    this.#count(sender, ip, now)
    if (sender.blockedUntil > now) throw blockedRefusal(sender.blockedUntil - now)
    this.#charge(sender)
  }

  /** Refuses a blocked address before its password is verified. @throws Refusal rate_limited */
  requireUnblocked(ip: string): void {
    if (!this.#settings.limits) return
    const { blockedUntil } = this.#senderOf(ip)
    const now = this.#clock.monotonic()
    if (blockedUntil > now) throw blockedRefusal(blockedUntil - now)
  }

  #count(sender: Sender, ip: string, now: number): void {
    const maxFailures = this.#settings.abuse_bad_credentials
    if (maxFailures === 0 || sender.blockedUntil > now) return
    if (now - sender.failedAt >= minute) Object.assign(sender, { failures: 0, failedAt: now })
    if (++sender.failures <= maxFailures) return
    sender.blockedUntil = now + rules['bad-credentials'].minutes * minute
    this.#findings.raise({
      rule: 'bad-credentials',
      subject: ip,
      detail: { failures: sender.failures },
    })
  }

  #charge(sender: Sender): void {
    if (
      this.#quota.perMinute === 0 ||
      takeTokens(sender.bucket, this.#quota, 1, this.#clock.monotonic())
    )
      return
    const wait = Math.max(1, Math.ceil(waitFor(sender.bucket, this.#quota, 1) / 1000))
    throw new Refusal(
      'rate_limited',
      `More than ${this.#quota.perMinute} requests a minute came from this address without a valid key.`,
      { retry_after_seconds: wait, context: { 'violated-policies': ['address'] } },
    )
  }

  /** Drops the oldest if there are too many. */
  #senderOf(ip: string): Sender {
    const network = networkOf(ip)
    let sender = this.#senders.get(network)
    if (!sender) {
      this.#senders.set(
        network,
        (sender = {
          bucket: fullBucket(this.#quota, this.#clock.monotonic()),
          failures: 0,
          failedAt: -Infinity,
          blockedUntil: -Infinity,
        }),
      )
    }
    return sender
  }
}

function blockedRefusal(milliseconds: number): Refusal {
  return new Refusal('rate_limited', 'Too many keys or passwords from this address were wrong.', {
    hint: 'Requests with a valid key still work; everything else has to wait.',
    retry_after_seconds: Math.max(1, Math.ceil(milliseconds / 1000)),
    context: { rule: 'bad-credentials' },
  })
}

/** An address, or for IPv6 the /64 network of one customer. */
export function networkOf(ip: string): string {
  const mapped = /^::ffff:(\d+\.\d+\.\d+\.\d+)$/i.exec(ip)?.[1]
  if (mapped !== undefined) return mapped
  if (!ip.includes(':')) return ip
  const [head = '', tail] = ip.replace(/%.*$/, '').split('::')
  const before = head === '' ? [] : head.split(':')
  const after = tail === undefined || tail === '' ? [] : tail.split(':')
  const all =
    tail === undefined
      ? before
      : [
          ...before,
          ...Array<string>(Math.max(0, 8 - before.length - after.length)).fill('0'),
          ...after,
        ]
  return all
    .slice(0, 4)
    .map((group) => group.replace(/^0+(?=.)/, '').toLowerCase())
    .join(':')
}

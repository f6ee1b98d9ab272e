import { newCallId, type CallLog } from '../audit/record.ts'
import type { CallEntry } from '../audit/entry.ts'
import { type ActingKey, type Actor, nameOfKey } from '../kernel/actor.ts'
import type { Clock } from '../kernel/time/clock.ts'
import type { Log } from '../kernel/log.ts'
import { denied, Refusal } from '../kernel/refusal.ts'
import { iso } from '../kernel/time/times.ts'
import type { Settings } from '../config/settings.ts'
import type { Store } from '../db/open.ts'
import type { KeyGate } from '../keys/verify.ts'
import { AbuseRules, type KeyActor, type WatchedChange, type WatchedOperation } from './abuse.ts'
import { Addresses } from './addresses.ts'
import { ExposureDetector } from './exposed-keys.ts'
import { AbuseFindings, type ReportedKey } from './findings.ts'
import { PlanMeter, type MeteredCall } from './plan.ts'
import { Rates, type Remaining, type RateLimitStatus } from './rate.ts'
import { AddressRates } from './quotas.ts'
import { KeyActivities, type KeyActivity, type RepeatCounter } from './watch.ts'

/** Admission of a request with a valid key: the rate limit status for its answer, and the reason if it is refused. */
export interface Admission {
  rateLimit: RateLimitStatus | undefined
  refusal: Refusal | undefined
}

/** An admitted call; `end` completes it. */
export interface AdmittedCall {
  watch: KeyActivity | undefined
  repeated: RepeatCounter | undefined
  metered: MeteredCall | undefined
}

/** A call as seen by the limits. */
export interface LimitedCall {
  transport: string
  requestId: string
  args: unknown
}

interface Dependencies {
  settings: Settings
  store: Store
  clock: Clock
  log: Log
  callLog: CallLog
  keys: KeyGate
}

/** All usage limits: rates and abuse rules by key and address, plans by organization. */
export class Limits {
  readonly #parts: Dependencies
  readonly #isEnforcing: boolean
  readonly #clock: Clock
  readonly #rates: Rates
  readonly #abuse: AbuseRules
  readonly #watches: KeyActivities
  readonly addresses: Addresses
  readonly spending: AddressRates
  readonly exposure: ExposureDetector
  readonly findings: AbuseFindings
  readonly plans: PlanMeter

  constructor(parts: Dependencies) {
    const { settings, clock, store } = parts
    this.#parts = parts
    this.#isEnforcing = settings.limits
    this.#clock = clock
    this.#watches = new KeyActivities(clock)
    this.#rates = new Rates(settings, clock)
    this.findings = new AbuseFindings(parts)
    this.#abuse = new AbuseRules(settings, clock, this.findings, store.committed)
    this.addresses = new Addresses(settings, clock, this.findings)
    this.spending = new AddressRates(settings, clock)
    this.exposure = new ExposureDetector(parts, this.findings)
    this.plans = new PlanMeter(settings, clock, this.findings, store)
  }

  /** Admits an HTTP request with a valid key and a weight. */
  admit(actor: Actor, ip: string, weight: number): Admission {
    const { key } = actor
    if (!key) return { rateLimit: undefined, refusal: undefined }
    const watch = this.#watches.getOrCreate(key.id)
    watch.usedAt = this.#clock.monotonic()
    if (key.suspended) return { rateLimit: undefined, refusal: suspendedRefusal(key) }
    if (key.paused) return { rateLimit: undefined, refusal: pausedRefusal(key, key.paused) }
    const refusal = this.#rates.take(watch, actor.org_id, weight)
    if (!refusal && this.#isEnforcing && !key.connection?.isHosted)
      this.#abuse.recordAddress(actor as KeyActor, watch, ip)
    return { rateLimit: this.#rates.status(watch, refusal), refusal }
  }

  /** Admits a call. @throws Refusal rate_limited or plan_exceeded */
  async begin(
    actor: Actor,
    call: LimitedCall,
    operation: WatchedOperation,
    now: number,
  ): Promise<AdmittedCall> {
    const watch = this.#watchOf(actor, call.transport)
    if (watch) await this.#abuse.requireNoHold(actor as KeyActor, operation)
    const repeated =
      watch && this.#abuse.countIdenticalCall(actor as KeyActor, watch, operation, call.args)
    const metered = isMetered(call, operation) ? await this.plans.begin(actor, now) : undefined
    try {
      if (watch) this.#rates.begin(watch)
    } catch (error) {
      if (metered) this.plans.uncount(metered)
      throw error
    }
    return { watch, repeated, metered }
  }

  /** Ends a call; only served calls count. */
  end({ watch, repeated, metered }: AdmittedCall, isServed: boolean, requestId: string): void {
    if (watch) watch.runningCalls--
    if (isServed && repeated) repeated.requestId = requestId
    if (!isServed && metered) this.plans.uncount(metered)
  }

  /** Whether an outbound call must wait for a person, because its key sent too much recently. */
  needsSendApproval(actor: Actor, { watch }: AdmittedCall, operation: string): boolean {
    return watch !== undefined && this.#abuse.countOutbound(actor as KeyActor, watch, operation)
  }

  /** Whether a key's outbound calls wait for a person until a hold is released. */
  isHeldFromSending({ key }: Actor): boolean {
    return key !== undefined && this.#abuse.isHeldFromSending(key.id)
  }

  /**
   * Checks the changes of a call, in its transaction. @throws Refusal rate_limited or storage_full; the transaction
   * must then be rolled back
   */
  async checkChanges(
    actor: Actor,
    { watch }: AdmittedCall,
    changes: readonly WatchedChange[],
    now: number,
  ): Promise<void> {
    if (watch) await this.#abuse.checkDeletions(actor as KeyActor, watch, changes)
    if (changes.some((change) => change.item_type === 'file' && change.op === 'created'))
      await this.plans.checkStorage(actor.org_id, now)
  }

  /** Records the answer of a call. */
  recordItemsRead(actor: Actor, { watch }: AdmittedCall, value: unknown): void {
    if (watch) this.#abuse.recordItemsRead(actor as KeyActor, watch, value)
  }

  /** Records ids in a call that are unknown to its caller. */
  recordUnknownIds(actor: Actor, transport: string, names: readonly string[]): void {
    const watch = names.length === 0 ? undefined : this.#watchOf(actor, transport)
    if (watch) this.#abuse.recordUnknownIds(actor as KeyActor, watch, names)
  }

  /** Records the size of an answer. */
  recordAnswerSize(actor: Actor, bytes: number): void {
    const watch =
      this.#isEnforcing && actor.key ? this.#watches.getOrCreate(actor.key.id) : undefined
    if (watch) this.#abuse.recordAnswerSize(actor as KeyActor, watch, bytes)
  }

  /** Records the use of a formerly valid key in its owner's call log. Not awaited. */
  logFailedRequest(key: ReportedKey, request: FailedRequest): void {
    const { store, callLog, clock, log } = this.#parts
    const entry = failureEntry(key, request, clock.now())
    store.writer
      .append(() => callLog.append(entry))
      .catch((error: unknown) =>
        log.error('a failed key is not in the call log', {
          key: key.id,
          error: (error as Error).message,
        }),
      )
  }

  /** Remaining quota of a key; undefined if keys are not limited. */
  remaining(keyId: string): Remaining | undefined {
    return this.#rates.remaining(this.#watches.find(keyId))
  }

  /** The rules apply to external calls with a key. */
  #watchOf({ key }: Actor, transport: string): KeyActivity | undefined {
    return this.#isEnforcing && key && (transport === 'rest' || transport === 'mcp')
      ? this.#watches.getOrCreate(key.id)
      : undefined
  }
}

/** A request with a key that is no longer valid. */
export interface FailedRequest {
  tool: string
  route: string
  requestId: string
  ip: string
  client: CallEntry['details']['client']
  transport: 'rest' | 'mcp'
}

function failureEntry(
  { id, org_id, owner_id }: ReportedKey,
  { tool, route, requestId, ip, client, transport }: FailedRequest,
  now: number,
): CallEntry {
  return {
    id: newCallId(now),
    org_id,
    at: now,
    request_id: requestId,
    actor_id: owner_id,
    key_id: id,
    transport,
    tool,
    kind: 'read',
    status: 'denied',
    error_code: 'unauthenticated',
    result_count: null,
    changed: 0,
    duration_us: 0,
    idempotency_key: null,
    items: [],
    details: { route, arguments: {}, ip, client },
  }
}

/** Local commands and reading in the web app do not count against the plan. */
function isMetered({ transport }: LimitedCall, { kind }: WatchedOperation): boolean {
  return transport !== 'cli' && !(transport === 'web' && kind === 'read')
}

function pausedRefusal(key: ActingKey, { by, at }: { by: string; at: number }): Refusal {
  return new Refusal('paused', `${nameOfKey(key)} was paused by ${by} at ${iso(at)}.`, {
    hint: 'Stop, and wait until it is resumed in the web app.',
    context: { paused_by: by, paused_at: iso(at) },
  })
}

function suspendedRefusal(key: ActingKey): Refusal {
  return denied(
    `${nameOfKey(key)} is suspended: it was held too often in one day.`,
    'Its owner or an administrator can release it in the web app, or with `workspace abuse list` and `workspace abuse release`.',
  )
}

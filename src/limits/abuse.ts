import { hash } from 'node:crypto'
import type { ActingKey, Actor } from '../kernel/actor.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { isInNetworks, parseNetworks, type Network } from '../kernel/networks.ts'
import { Refusal } from '../kernel/refusal.ts'
import type { SqlText } from '../db/connection.ts'
import type { Settings } from '../config/settings.ts'
import type { AbuseFindings, ReportedKey, OpenHold } from './findings.ts'
import { abuseRule, type RuleName } from './rules.ts'
import type { KeyActivity, RepeatCounter } from './watch.ts'
import { quantity } from '../kernel/text/quantity.ts'

const minute = 60_000
/** Minimum deleted tasks before a project's share of deletions is checked. */
const minDeletedTasks = 20

/** Properties of an operation that the rules examine. */
export interface WatchedOperation {
  name: string
  kind: 'read' | 'write' | 'destructive'
}

/** Change of one item by a call: the properties that the rules examine. */
export interface WatchedChange {
  op: string
  item_type: string
  project_id: string | null
}

/** An actor whose call came in with a key. */
export type KeyActor = Actor & { key: ActingKey }

/** Abuse rules that check the calls of a key. Each is a method; rules.ts explains them. */
export class AbuseRules {
  readonly #settings: Settings
  readonly #clock: Clock
  readonly #findings: AbuseFindings
  readonly #committedDb: SqlText
  /** Networks of hosted assistants, which call from a different address each time. */
  readonly #roamingNetworks: readonly Network[]

  constructor(settings: Settings, clock: Clock, findings: AbuseFindings, committedDb: SqlText) {
    this.#settings = settings
    this.#clock = clock
    this.#findings = findings
    this.#roamingNetworks = parseNetworks(settings.abuse_wandering_except) ?? []
    this.#committedDb = committedDb
  }

  /** @throws Refusal rate_limited if a hold on the key refuses such a call */
  async requireNoHold(actor: KeyActor, operation: WatchedOperation): Promise<void> {
    await this.#findings.refresh(actor.key.id)
    const hold = this.#findings
      .holdsOn(actor.key.id)
      .find((openHold) => blocksOperation(openHold, operation))
    if (hold) throw this.#holdRefusal(hold)
  }

  /** wandering-key */
  recordAddress(actor: KeyActor, watch: KeyActivity, ip: string): void {
    const maxAddresses = this.#settings.abuse_wandering
    if (watch.address === ip || maxAddresses === 0 || ip === '') return
    watch.address = ip
    if (isInNetworks(ip, this.#roamingNetworks)) return
    const count = watch.addresses.add(ip, this.#clock.monotonic(), maxAddresses + 1)
    if (count <= maxAddresses || this.#findings.isSuppressed('wandering-key', actor.key.id)) return
    this.#findings.raise({
      rule: 'wandering-key',
      key: findingKeyOf(actor),
      detail: { addresses: count },
      hold: this.#settings.abuse_wandering_hold ? 'all' : 'none',
    })
  }

  /** loop. Returns the counter of such calls, to note the request's id once served. @throws Refusal rate_limited */
  countIdenticalCall(
    actor: KeyActor,
    watch: KeyActivity,
    operation: WatchedOperation,
    args: unknown,
  ): RepeatCounter | undefined {
    const maxRepeats = this.#settings.abuse_loop
    if (maxRepeats === 0) return undefined
    const now = this.#clock.monotonic()
    const repeated = repeatedOf(watch, fingerprint(operation.name, args), now)
    if (++repeated.count <= maxRepeats) return repeated
    const secondsLeft = Math.max(1, Math.ceil((minute - (now - repeated.since)) / 1000))
    this.#findings.raise({
      rule: 'loop',
      key: findingKeyOf(actor),
      detail: { operation: operation.name, calls: repeated.count },
    })
    throw abuseRefusal(
      'loop',
      `${operation.name} was called with the same arguments ${maxRepeats} times within a minute.`,
      {
        hint: 'Use the earlier answer, or change the arguments.',
        retry_after_seconds: secondsLeft,
        context: repeated.requestId === '' ? {} : { earlier_request_id: repeated.requestId },
      },
    )
  }

  /** outbound-burst. Counts an outbound call; returns whether it must wait for a person. */
  countOutbound(actor: KeyActor, watch: KeyActivity, operation: string): boolean {
    const maxSendings = this.#settings.abuse_outbound
    if (this.isHeldFromSending(actor.key.id)) return true
    if (maxSendings === 0 || this.#findings.isSuppressed('outbound-burst', actor.key.id))
      return false
    const now = this.#clock.monotonic()
    const isTooOften = watch.outboundCalls.sum(now) >= maxSendings
    if (isTooOften)
      this.#findings.raise({
        rule: 'outbound-burst',
        key: findingKeyOf(actor),
        detail: { operation, calls: maxSendings + 1 },
      })
    else watch.outboundCalls.add(1, now)
    return isTooOften
  }

  /** Whether outbound-burst holds a key. */
  isHeldFromSending(keyId: KeyActor['key']['id']): boolean {
    return this.#findings.holdsOn(keyId).some((finding) => finding.hold === 'outbound')
  }

  /** enumeration */
  recordUnknownIds(actor: KeyActor, watch: KeyActivity, ids: readonly string[]): void {
    const maxUnknown = this.#settings.abuse_enumeration
    if (maxUnknown === 0 || this.#findings.isSuppressed('enumeration', actor.key.id)) return
    const now = this.#clock.monotonic()
    const count = ids.reduce(
      (_, name) => watch.unknownIds.add(name.slice(0, 100), now, maxUnknown),
      0,
    )
    if (count >= maxUnknown)
      this.#findings.raise({
        rule: 'enumeration',
        key: findingKeyOf(actor),
        detail: { unknown_ids: count },
      })
  }

  /** mass-delete. Called in the writer job, to roll back excessive deletions. @throws Refusal rate_limited */
  async checkDeletions(
    actor: KeyActor,
    watch: KeyActivity,
    changes: readonly WatchedChange[],
  ): Promise<void> {
    const deleted = changes.filter((change) => change.op === 'deleted')
    if (deleted.length === 0 || this.#findings.isSuppressed('mass-delete', actor.key.id)) return
    const now = this.#clock.monotonic()
    const maxDeletions = this.#settings.abuse_mass_delete
    const count = watch.deletions.sum(now) + deleted.length
    if (maxDeletions > 0 && count > maxDeletions)
      throw this.#raiseHold(
        'mass-delete',
        actor,
        { deletions: count },
        `It deleted ${count} items within a minute.`,
      )
    const tasks = Map.groupBy(
      deleted.filter((watchedChange) => watchedChange.item_type === 'task'),
      (watchedChange) => watchedChange.project_id ?? '',
    )
    for (const [project, projectChanges] of tasks)
      await this.#checkShare(actor, watch, { project, more: projectChanges.length }, now)
    watch.deletions.add(deleted.length, now)
    for (const [project, projectChanges] of tasks)
      watch.deletedIn(project).add(projectChanges.length, now)
  }

  async #checkShare(
    actor: KeyActor,
    watch: KeyActivity,
    { project, more: newDeletions }: { project: string; more: number },
    now: number,
  ): Promise<void> {
    const maxShare = this.#settings.abuse_mass_delete_share
    const count = watch.deletedIn(project).sum(now) + newDeletions
    if (maxShare === 0 || count <= minDeletedTasks) return
    const tasks = await this.#committedDb.one<{ left: number }>(
      'SELECT count(*) AS "left" FROM tasks WHERE project_id = ? AND deleted_at IS NULL',
      project,
    )
    const left = tasks?.left ?? 0
    const share = (100 * count) / (count + left)
    if (share > maxShare)
      throw this.#raiseHold(
        'mass-delete',
        actor,
        { deletions: count, percent: Math.round(share) },
        `It deleted ${count} tasks of one project within an hour, ${Math.round(share)} % of them.`,
      )
  }

  /** mass-read, by items read. */
  recordItemsRead(actor: KeyActor, watch: KeyActivity, value: unknown): void {
    const maxItems = this.#settings.abuse_mass_read
    if (maxItems === 0) return
    const ids = answerIdsIn(value)
    if (ids.length === 0) return
    const census = watch.itemsRead(maxItems, this.#clock.monotonic())
    for (const id of ids) census.add(id)
    if (census.count >= maxItems && !this.#findings.isSuppressed('mass-read', actor.key.id))
      this.#findings.raise({
        rule: 'mass-read',
        key: findingKeyOf(actor),
        detail: { objects: census.count },
      })
  }

  /** mass-read, by the size of an answer. */
  recordAnswerSize(actor: KeyActor, watch: KeyActivity, bytes: number): void {
    const maxBytes = this.#settings.abuse_mass_read_megabytes * 1_000_000
    if (maxBytes === 0) return
    const now = this.#clock.monotonic()
    const total = watch.bytes.sum(now) + bytes
    watch.bytes.add(bytes, now)
    if (total >= maxBytes && !this.#findings.isSuppressed('mass-read', actor.key.id))
      this.#findings.raise({
        rule: 'mass-read',
        key: findingKeyOf(actor),
        detail: { bytes: total },
      })
  }

  #raiseHold(
    rule: RuleName,
    actor: KeyActor,
    detail: Record<string, string | number>,
    reason: string,
  ): Refusal {
    const id = this.#findings.raise({ rule, key: findingKeyOf(actor), detail })
    return this.#holdRefusal({ id, rule, hold: abuseRule(rule).hold, until: undefined }, reason)
  }

  #holdRefusal({ id, rule, hold, until }: OpenHold, reason = ''): Refusal {
    const secondsLeft =
      until === undefined ? 300 : Math.max(1, Math.ceil((until - this.#clock.monotonic()) / 1000))
    const refusedCalls = hold === 'writes' ? 'every change' : 'every call'
    const releaseHint =
      until === undefined
        ? `Its owner or an administrator can release it in the web app or with \`workspace abuse release ${id}\`.`
        : `It ends automatically in ${quantity(secondsLeft, 'second')}.`
    return abuseRefusal(
      rule,
      `${reason} The rule ${rule} holds this key: ${refusedCalls} is refused.`.trim(),
      {
        hint: releaseHint,
        retry_after_seconds: secondsLeft,
        context: { finding_id: id },
      },
    )
  }
}

function blocksOperation({ hold }: OpenHold, { kind }: WatchedOperation): boolean {
  return hold === 'all' || (hold === 'writes' && kind !== 'read')
}

function abuseRefusal(
  rule: RuleName,
  message: string,
  more: { hint: string; retry_after_seconds: number; context: Record<string, unknown> },
): Refusal {
  return new Refusal('rate_limited', message, { ...more, context: { rule, ...more.context } })
}

function findingKeyOf({ key, org_id, id }: KeyActor): ReportedKey {
  return { id: key.id, org_id, owner_id: id }
}

/** Counter of identical calls; restarts after a minute. The oldest counters are dropped. */
function repeatedOf(
  { repeated }: KeyActivity,
  callFingerprint: string,
  now: number,
): RepeatCounter {
  const previous = repeated.get(callFingerprint)
  if (previous && now - previous.since < minute) return previous
  const fresh = { count: 0, since: now, requestId: '' }
  repeated.set(callFingerprint, fresh)
  return fresh
}

/** Short arguments are used directly: hashing them would cost more than it saves. */
function fingerprint(operation: string, args: unknown): string {
  const text = JSON.stringify(args) ?? ''
  return text.length <= 400
    ? `${operation} ${text}`
    : `${operation} #${hash('sha256', text, 'base64')}`
}

/** Ids in an answer. */
function answerIdsIn(value: unknown): string[] {
  const { items, id } = (value ?? {}) as { items?: unknown; id?: unknown }
  if (!Array.isArray(items)) return typeof id === 'string' ? [id] : []
  return (items as ({ id?: unknown } | null)[]).flatMap((item) =>
    typeof item?.id === 'string' ? [item.id] : [],
  )
}

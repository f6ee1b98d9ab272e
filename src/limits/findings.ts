import { randomUUID } from 'node:crypto'
import { BoundedMap } from '../kernel/bounded-map.ts'
import { newCallId, type CallLog } from '../audit/record.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { newId, type Id } from '../kernel/ids.ts'
import type { Log } from '../kernel/log.ts'
import type { Settings } from '../config/settings.ts'
import type { Store } from '../db/open.ts'
import type { AbuseFindingsTable } from '../db/tables.ts'
import { abuseRule, type Hold, type RuleName } from './rules.ts'
import { notifyFinding } from './notices.ts'

const minute = 60_000
const hour = 60 * minute
const day = 24 * hour
const maxNotices = 10_000
const addressRetention = 30 * day

/** A key as named in a finding. */
export interface ReportedKey {
  id: Id<'api_keys'>
  org_id: Id<'orgs'>
  owner_id: Id<'users'>
}

export interface NewFinding {
  rule: RuleName
  key?: ReportedKey
  org?: Id<'orgs'>
  /** Subject of the finding if it is not a key. */
  subject?: string
  /** Counts and operation names; no caller input. */
  detail: Record<string, string | number>
  /** Hold that replaces the rule's default. */
  hold?: Hold
}

/** A hold in the memory of the process. */
export interface OpenHold {
  id: Id<'abuse_findings'>
  rule: RuleName
  hold: Hold
  /** On the monotonic clock; unset: until a person releases it. */
  until: number | undefined
}

interface Notice {
  id: Id<'abuse_findings'>
  at: number
  /** Number of occurrences since it was last written. */
  unwrittenCount: number
  writtenAt: number
}

/**
 * Records findings in the log, in the call log of the key's owner and in `abuse_findings`, and keeps them while they
 * hold a key.
 */
export class AbuseFindings {
  readonly #store: Store
  readonly #callLog: CallLog
  readonly #clock: Clock
  readonly #log: Log
  readonly #settings: Settings
  /** Resolves once the holds of earlier processes are loaded. */
  readonly #loaded: Promise<void>
  readonly #holds = new Map<string, OpenHold[]>()
  readonly #notices = new BoundedMap<string, Notice>(maxNotices)
  /** Rules suspended for a key after a release by a person, with the end time. */
  readonly #suppressed = new Map<string, number>()

  constructor(dependencies: {
    store: Store
    callLog: CallLog
    clock: Clock
    log: Log
    settings: Settings
  }) {
    this.#store = dependencies.store
    this.#callLog = dependencies.callLog
    this.#clock = dependencies.clock
    this.#log = dependencies.log
    this.#settings = dependencies.settings
    this.#loaded = this.#load()
  }

  /** Records a violation. The hold is in force when this returns; the record of it is not awaited. */
  raise(finding: NewFinding): Id<'abuse_findings'> {
    const hold = finding.hold ?? abuseRule(finding.rule).hold
    const existing = hold === 'none' ? this.#knownNotice(finding) : undefined
    if (existing) return existing
    const now = this.#clock.now()
    const { minutes } = abuseRule(finding.rule)
    const row: AbuseFindingsTable = {
      id: newId('abf', now),
      org_id: finding.key?.org_id ?? finding.org ?? null,
      rule: finding.rule,
      key_id: finding.key?.id ?? null,
      owner_id: finding.key?.owner_id ?? null,
      subject: finding.subject ?? null,
      detail_json: JSON.stringify(finding.detail),
      occurrences: 1,
      first_at: now,
      last_at: now,
      hold,
      until_at: minutes === undefined ? null : now + minutes * minute,
      released_at: null,
      released_by: null,
    }
    if (hold === 'none')
      this.#notices.set(noticeKey(finding), {
        id: row.id,
        at: this.#clock.monotonic(),
        unwrittenCount: 0,
        writtenAt: this.#clock.monotonic(),
      })
    else
      this.#remember(finding.key!.id, {
        id: row.id,
        rule: finding.rule,
        hold,
        until: minutes === undefined ? undefined : this.#clock.monotonic() + minutes * minute,
      })
    this.#log.warn(`abuse.${finding.rule}`, {
      finding: row.id,
      org: row.org_id,
      key: row.key_id,
      owner: row.owner_id,
      subject: row.subject,
      hold,
      ...finding.detail,
    })
    this.#write(() => this.#insert(row))
    return row.id
  }

  /**
   * Checks whether a person has released a key's hold: its rule is then suspended for an hour. Called before a call's
   * holds are checked.
   */
  async refresh(keyId: string): Promise<void> {
    await this.#loaded
    for (const hold of this.#holds.get(keyId) ?? []) {
      const released = await this.#store.read.one(
        'SELECT 1 AS released FROM abuse_findings WHERE id = ? AND released_at IS NOT NULL',
        hold.id,
      )
      if (!released) continue
      this.#suppressed.set(`${hold.rule} ${keyId}`, this.#clock.monotonic() + hour)
      const others = this.#holds.get(keyId)?.filter(({ id }) => id !== hold.id) ?? []
      this.#holds.set(keyId, others)
    }
  }

  /** Holds on a key that are in force now. */
  holdsOn(keyId: string): readonly OpenHold[] {
    const holds = this.#holds.get(keyId)
    if (!holds) return []
    const open = holds.filter((hold) => this.#isOpen(hold))
    if (open.length === 0) this.#holds.delete(keyId)
    else if (open.length < holds.length) this.#holds.set(keyId, open)
    return open
  }

  /** Whether a rule ignores a key for now: it already holds the key, or a person has just released it. */
  isSuppressed(rule: RuleName, keyId: string): boolean {
    const until = this.#suppressed.get(`${rule} ${keyId}`)
    if (until !== undefined && until > this.#clock.monotonic()) return true
    return this.#holds.has(keyId) && this.holdsOn(keyId).some((hold) => hold.rule === rule)
  }

  #isOpen({ until }: OpenHold): boolean {
    return until === undefined || until > this.#clock.monotonic()
  }

  /** Returns the id of the same notice if it was raised within the last hour. */
  #knownNotice(finding: NewFinding): Id<'abuse_findings'> | undefined {
    const notice = this.#notices.get(noticeKey(finding))
    const now = this.#clock.monotonic()
    if (!notice || now - notice.at > hour) return undefined
    notice.unwrittenCount++
    if (now - notice.writtenAt < 5000) return notice.id
    const times = notice.unwrittenCount
    Object.assign(notice, { unwrittenCount: 0, writtenAt: now })
    const at = this.#clock.now()
    this.#write(() =>
      this.#store.write.run(
        'UPDATE abuse_findings SET occurrences = occurrences + ?, last_at = ? WHERE id = ?',
        ...[times, at, notice.id],
      ),
    )
    return notice.id
  }

  /**
   * Loads the holds of an earlier process: temporary ones last no longer than their rule allows, regardless of clock
   * changes.
   */
  async #load(): Promise<void> {
    const now = this.#clock.now()
    const rows = await this.#store.read.all<
      Pick<AbuseFindingsTable, 'id' | 'key_id' | 'hold' | 'until_at'> & { rule: RuleName }
    >(
      "SELECT id, key_id, rule, hold, until_at FROM abuse_findings WHERE hold NOT IN ('none', 'key') AND released_at IS NULL AND (until_at IS NULL OR until_at > ?)",
      now,
    )
    for (const row of rows) {
      const { minutes } = abuseRule(row.rule)
      const left =
        row.until_at === null || minutes === undefined
          ? undefined
          : Math.min(row.until_at - now, minutes * minute)
      this.#remember(row.key_id!, {
        id: row.id,
        rule: row.rule,
        hold: row.hold,
        until: left === undefined ? undefined : this.#clock.monotonic() + left,
      })
    }
  }

  #remember(keyId: string, hold: OpenHold): void {
    if (hold.hold !== 'key') this.#holds.set(keyId, [...(this.#holds.get(keyId) ?? []), hold])
  }

  #write(work: () => Promise<unknown>): void {
    this.#store.writer
      .run(work)
      .catch((error: unknown) =>
        this.#log.error('a finding was not recorded', { error: (error as Error).message }),
      )
  }

  /** Inside a writer job. */
  async #insert(row: AbuseFindingsTable): Promise<void> {
    const { write } = this.#store
    await write.insertInto('abuse_findings').values(row).execute()
    if (row.org_id === null)
      await write
        .deleteFrom('abuse_findings')
        .where('org_id', 'is', null)
        .where('last_at', '<', row.last_at - addressRetention)
        .execute()
    await this.#logCall(row)
    if (row.hold !== 'none' && row.hold !== 'key') await this.#countHolds(row)
    await notifyFinding(write, row)
  }

  /** The call log entry, in the name of the key's owner. */
  async #logCall({
    id,
    org_id,
    owner_id,
    key_id,
    rule,
    first_at,
    detail_json,
    hold,
  }: AbuseFindingsTable): Promise<void> {
    if (org_id === null || owner_id === null) return
    await this.#callLog.append({
      id: newCallId(first_at),
      org_id,
      at: first_at,
      request_id: randomUUID(),
      actor_id: owner_id,
      key_id,
      transport: 'automation',
      tool: `abuse.${rule}`,
      kind: 'write',
      status: 'ok',
      error_code: null,
      result_count: null,
      changed: 0,
      duration_us: 0,
      idempotency_key: null,
      items: key_id === null ? [] : [{ type: 'api_key', id: key_id }],
      details: {
        route: 'abuse',
        arguments: { finding: id, hold, ...(JSON.parse(detail_json) as object) },
        ip: '',
      },
    })
  }

  /**
   * Suspends a key that is held too often, until its owner decides. Only holds since the owner's last decision count.
   */
  async #countHolds({ key_id, org_id, owner_id, first_at }: AbuseFindingsTable): Promise<void> {
    const maxHolds = this.#settings.abuse_repeat
    if (maxHolds === 0) return
    const { write } = this.#store
    const lastDecision = await write.one<{ at: number | null }>(
      "SELECT max(released_at) AS at FROM abuse_findings WHERE key_id = ? AND rule = 'repeat-offender'",
      key_id,
    )
    const countRow = await write.one<{ holds: number }>(
      "SELECT count(*) AS holds FROM abuse_findings WHERE key_id = ? AND hold NOT IN ('none', 'key') AND first_at > ?",
      ...[key_id, Math.max(first_at - day, lastDecision?.at ?? 0)],
    )
    const holds = countRow?.holds ?? 0
    if (holds < maxHolds) return
    const suspended = await write.run(
      'UPDATE api_keys SET suspended_at = ? WHERE id = ? AND suspended_at IS NULL',
      ...[first_at, key_id],
    )
    if (suspended === 0) return
    this.raise({
      rule: 'repeat-offender',
      key: { id: key_id!, org_id: org_id!, owner_id: owner_id! },
      detail: { holds },
    })
  }
}

function noticeKey({ rule, key, org, subject }: NewFinding): string {
  return `${rule} ${key?.id ?? ''} ${org ?? ''} ${subject ?? ''}`
}

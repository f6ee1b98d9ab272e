import type { Store } from '../db/open.ts'
import type { KeyGate } from '../keys/verify.ts'
import type { Actor } from '../kernel/actor.ts'
import type { Clock } from '../kernel/time/clock.ts'
import { describeError } from '../db/failures.ts'
import type { Log } from '../kernel/log.ts'
import { allResources, type ItemTable, type Resource, type Row } from '../records/resource.ts'
import { accessScope } from '../records/access-scope.ts'
import { Streams, type MaxStreams } from './streams.ts'

/** Milliseconds between polls for commits of other processes while there are subscribers. */
const pollEvery = 1000
/** Changes read and checked for visibility per batch; other work gets its turn in between. */
const batchSize = 200

/** A single item change, as reported to those who follow the workspace. */
export interface LiveChange {
  /** Position in the commit order of the whole instance. */
  readonly seq: number
  readonly at: number
  readonly op: Row<'changes'>['op']
  /** Names of events: `task.updated`, `task.completed`. */
  readonly events: readonly string[]
  readonly item: { readonly type: string; readonly id: string }
  readonly project_id: string | null
  /** access_gained, access_lost: the person concerned. */
  readonly for_person_id: string | null
  readonly actor_id: string
  readonly via: Row<'changes'>['via']
}

export interface Listener {
  actor: Actor
  /** Restricts it to these items, or to items of these types; by default, all changes of the organization. */
  items?: readonly string[]
  types?: readonly string[]
  wants?: (change: LiveChange) => boolean
  /**
   * Also reports changes invisible to the actor: for listeners that only read the log themselves and show nothing of
   * the report.
   */
  looks?: true
  tell: (change: LiveChange) => void
}

/** A listener with the log position after which it is notified. */
interface Listening extends Listener {
  since: number
}

type ChangeRow = Omit<Row<'changes'>, 'call_id' | 'key_id' | 'fields_json' | 'images_json'>
const changeColumns =
  'seq, org_id, at, actor_id, via, op, events_json, item_type, item_id, project_id, for_person_id'

/**
 * The feed of changes by this and other processes on the same database. A change is reported after its commit, in
 * order, to those who may see its item at that moment: not invisible items, and not items in the trash, except for
 * the change that trashed them. Nothing is read without subscribers, and no write waits for it.
 */
export class Live {
  readonly #store: Store
  readonly #keys: KeyGate
  readonly #clock: Clock
  readonly #log: Log
  readonly #streams: Streams
  /** By subject: an item's id, `org type`, or `org`. */
  readonly #listeners = new Map<string, Set<Listening>>()
  readonly #watchers = new Set<() => void>()
  #count = 0
  #seq = 0
  #commitMark: number | undefined
  #poll: NodeJS.Timeout | undefined
  #isAwake = false

  constructor(parts: {
    store: Store
    keys: KeyGate
    clock: Clock
    log: Log
    maxStreams: MaxStreams
  }) {
    this.#store = parts.store
    this.#keys = parts.keys
    this.#clock = parts.clock
    this.#log = parts.log
    this.#streams = new Streams(parts.keys, parts.log, parts.maxStreams)
  }

  /** Reports changes committed after this has resolved. Resolves to the unsubscribe function. */
  async subscribe(listener: Listener): Promise<() => void> {
    if (this.#count++ === 0) this.#start()
    const since = await this.#newest().catch((error: unknown) => {
      if (--this.#count === 0) this.#stop()
      throw error
    })
    if (this.#listeners.size === 0 && !this.#isAwake) this.#seq = since // with watchers alone, nothing was read
    const listening = { ...listener, since }
    const keys = [...new Set(listenerKeysOf(listener))]
    for (const key of keys) this.#at(key).add(listening)
    let isOn = true
    return () => {
      if (!isOn) return
      isOn = false
      for (const key of keys) this.#leave(key, listening)
      if (--this.#count === 0) this.#stop()
    }
  }

  /**
   * Reports that something was committed, by this process or another, without details. Returns the unsubscribe
   * function.
   */
  watch(tell: () => void): () => void {
    if (this.#count++ === 0) this.#start()
    this.#watchers.add(tell)
    return () => {
      if (this.#watchers.delete(tell) && --this.#count === 0) this.#stop()
    }
  }

  /**
   * Monitors an open stream: `end` is called within seconds once key or person are no longer valid.
   * Returns the function that unregisters it.
   * @throws Refusal rate_limited if the key has too many open streams, unavailable if all together have
   */
  registerStream(actor: Actor, end: () => void): () => void {
    return this.#streams.register(actor, end)
  }

  /** Number of such streams that are open. */
  get streams(): number {
    return this.#streams.count
  }

  /** True once everything committed so far by this process has been reported. */
  get isIdle(): boolean {
    return !this.#isAwake
  }

  #at(key: string): Set<Listening> {
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners)
    return listeners
  }

  #leave(key: string, listening: Listening): void {
    const there = this.#listeners.get(key)
    there?.delete(listening)
    if (there?.size === 0) this.#listeners.delete(key)
  }

  async #newest(): Promise<number> {
    const newest = await this.#store.read.one<{ seq: number }>(
      'SELECT coalesce(max(seq), 0) AS seq FROM changes',
    )
    return newest?.seq ?? 0
  }

  #start(): void {
    this.#commitMark = undefined
    this.#store.writer.onCommit = () => this.#wake()
    void this.#look()
    this.#poll = setInterval(() => void this.#look(), pollEvery).unref()
  }

  #stop(): void {
    this.#store.writer.onCommit = undefined
    clearInterval(this.#poll)
  }

  /** Whether any process has committed since the last time. */
  async #look(): Promise<void> {
    if (!this.#store.isOpen) return this.#stop()
    try {
      const mark = await this.#store.commitMark()
      const isFirst = this.#commitMark === undefined
      if (mark === this.#commitMark) return
      this.#commitMark = mark
      if (!isFirst) this.#wake()
    } catch (error) {
      this.#log.error('commits of other processes were not looked for', {
        error: describeError(error),
      })
    }
  }

  /** Combines commits before the next turn of the event loop, and commits during a report, into one report. */
  #wake(): void {
    for (const tell of this.#watchers) tell()
    if (this.#listeners.size === 0) return
    if (this.#isAwake) return
    this.#isAwake = true
    setImmediate(() => void this.#notifyAll())
  }

  async #notifyAll(): Promise<void> {
    try {
      while (this.#count > 0 && this.#store.isOpen) {
        const rows = await this.#store.read.all<ChangeRow>(
          `SELECT ${changeColumns} FROM changes WHERE seq > ? ORDER BY seq LIMIT ?`,
          ...[this.#seq, batchSize],
        )
        if (rows.length === 0) break
        this.#seq = rows.at(-1)!.seq
        await this.#tell(rows)
        await new Promise((go) => setImmediate(go))
      }
    } catch (error) {
      this.#log.error('changes were not announced', {
        behind: this.#seq,
        error: describeError(error),
      })
    } finally {
      this.#isAwake = false
    }
  }

  async #tell(rows: readonly ChangeRow[]): Promise<void> {
    const due = rows.flatMap((row) => this.#dueFor(row))
    const deliveries = due.filter((item) => !item.listening.looks)
    const seen = new Map<string, ReadonlySet<number>>()
    for (const [who, some] of Map.groupBy(deliveries, (item) => whoIs(item.listening.actor)))
      seen.set(
        who,
        await this.#seenBy(
          some[0]!.listening.actor,
          some.map((item) => item.change),
        ),
      )
    for (const { listening, change } of due) {
      if (
        (!listening.looks && !seen.get(whoIs(listening.actor))!.has(change.seq)) ||
        !this.#isOn(listening)
      )
        continue
      try {
        listening.tell(change)
      } catch (error) {
        this.#log.error('a listener failed', { change: change.seq, error: describeError(error) })
      }
    }
  }

  /** Subscribers that follow a change, whether or not they may see it. */
  #dueFor(row: ChangeRow): { listening: Listening; change: LiveChange }[] {
    const followers = [row.item_id, `${row.org_id} ${row.item_type}`, row.org_id].flatMap((key) => [
      ...(this.#listeners.get(key) ?? []),
    ])
    if (followers.length === 0) return []
    const change = changeOf(row)
    const isConcerned = ({ actor, since, wants }: Listening) =>
      row.seq > since &&
      actor.org_id === row.org_id &&
      (row.for_person_id === null || row.for_person_id === actor.id) &&
      (wants?.(change) ?? true)
    return [...new Set(followers)].filter(isConcerned).map((listening) => ({ listening, change }))
  }

  #isOn(listening: Listening): boolean {
    return listenerKeysOf(listening).some((key) => this.#listeners.get(key)?.has(listening))
  }

  /**
   * Changes whose items a person may see now; none once key or person have ended. Access gained or lost is reported
   * only to that person.
   */
  async #seenBy(actor: Actor, changes: readonly LiveChange[]): Promise<ReadonlySet<number>> {
    const present = await this.#keys.present(actor)
    const seen = new Set<number>()
    if (!present) return seen
    const isOwn = (liveChange: LiveChange) =>
      liveChange.op === 'access_gained' || liveChange.op === 'access_lost'
    for (const change of changes) if (isOwn(change)) seen.add(change.seq)
    for (const [, some] of Map.groupBy(
      changes.filter((change) => !isOwn(change)),
      (change) => `${change.item.type} ${change.op === 'deleted'}`,
    )) {
      const resource = resourceOfType(some[0]!.item.type)
      const look = accessScope({
        all: this.#store.read,
        actor: present,
        now: this.#clock.now(),
        trash: some[0]!.op === 'deleted',
      })
      const rows = await resource?.among(
        look,
        some.map((liveChange) => liveChange.item.id),
      )
      for (const liveChange of some) if (rows?.has(liveChange.item.id)) seen.add(liveChange.seq)
    }
    return seen
  }
}

function listenerKeysOf({ actor, items, types }: Listener): string[] {
  if (!items && !types) return [actor.org_id]
  return [...(items ?? []), ...(types ?? []).map((type) => `${actor.org_id} ${type}`)]
}

/** Identifies readers with the same access: a key may have fewer rights than its owner. */
function whoIs({ id, key }: Actor): string {
  return key?.id ?? id
}

function changeOf({
  seq,
  at,
  op,
  events_json,
  item_type,
  item_id,
  project_id,
  for_person_id,
  actor_id,
  via,
}: ChangeRow): LiveChange {
  return {
    seq,
    at,
    op,
    events: JSON.parse(events_json) as string[],
    item: { type: item_type, id: item_id },
    project_id,
    for_person_id,
    actor_id,
    via,
  }
}

function resourceOfType(type: string): Resource<ItemTable> | undefined {
  return allResources().find((resource) => resource.definition.type === type)
}

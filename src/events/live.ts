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
const pollInterval = 1000
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
   * Also reports changes invisible to the actor: for listeners that take it only as a signal to read the log, and show
   * none of it.
   */
  includesInvisible?: true
  onChange: (change: LiveChange) => void
}

/** A listener with the log position after which it is notified. */
interface RegisteredListener extends Listener {
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
  readonly #listeners = new Map<string, Set<RegisteredListener>>()
  readonly #watchers = new Set<() => void>()
  #count = 0
  #seq = 0
  #commitMark: number | undefined
  #poll: NodeJS.Timeout | undefined
  #isReporting = false

  constructor(dependencies: {
    store: Store
    keys: KeyGate
    clock: Clock
    log: Log
    maxStreams: MaxStreams
  }) {
    this.#store = dependencies.store
    this.#keys = dependencies.keys
    this.#clock = dependencies.clock
    this.#log = dependencies.log
    this.#streams = new Streams(dependencies.keys, dependencies.log, dependencies.maxStreams)
  }

  /** Reports changes committed after this has resolved. Resolves to the unsubscribe function. */
  async subscribe(listener: Listener): Promise<() => void> {
    if (this.#count++ === 0) this.#start()
    const since = await this.#newestSeq().catch((error: unknown) => {
      if (--this.#count === 0) this.#stop()
      throw error
    })
    if (this.#listeners.size === 0 && !this.#isReporting) this.#seq = since // with watchers alone, #seq was not advanced
    const listening = { ...listener, since }
    const keys = [...new Set(listenerKeysOf(listener))]
    for (const key of keys) this.#listenersFor(key).add(listening)
    let isSubscribed = true
    return () => {
      if (!isSubscribed) return
      isSubscribed = false
      for (const key of keys) this.#removeListener(key, listening)
      if (--this.#count === 0) this.#stop()
    }
  }

  /**
   * Reports that something was committed, by this process or another, without details. Returns the unsubscribe
   * function.
   */
  watch(onCommit: () => void): () => void {
    if (this.#count++ === 0) this.#start()
    this.#watchers.add(onCommit)
    return () => {
      if (this.#watchers.delete(onCommit) && --this.#count === 0) this.#stop()
    }
  }

  /**
   * Monitors an open stream: `end` is called within seconds once the key or the person is no longer valid.
   * Returns the function that unregisters it.
   * @throws Refusal rate_limited if the key has too many open streams, unavailable if all together have
   */
  registerStream(actor: Actor, end: () => void): () => void {
    return this.#streams.register(actor, end)
  }

  /** Number of open streams. */
  get streams(): number {
    return this.#streams.count
  }

  /** True once everything committed so far by this process has been reported. */
  get isIdle(): boolean {
    return !this.#isReporting
  }

  #listenersFor(key: string): Set<RegisteredListener> {
    const listeners = this.#listeners.get(key) ?? new Set()
    this.#listeners.set(key, listeners)
    return listeners
  }

  #removeListener(key: string, listening: RegisteredListener): void {
    const listeners = this.#listeners.get(key)
    listeners?.delete(listening)
    if (listeners?.size === 0) this.#listeners.delete(key)
  }

  async #newestSeq(): Promise<number> {
    const newest = await this.#store.read.one<{ seq: number }>(
      'SELECT coalesce(max(seq), 0) AS seq FROM changes',
    )
    return newest?.seq ?? 0
  }

  #start(): void {
    this.#commitMark = undefined
    this.#store.writer.onCommit = () => this.#wake()
    void this.#checkForCommits()
    this.#poll = setInterval(() => void this.#checkForCommits(), pollInterval).unref()
  }

  #stop(): void {
    this.#store.writer.onCommit = undefined
    clearInterval(this.#poll)
  }

  /** Wakes the feed if any process has committed since the last check. */
  async #checkForCommits(): Promise<void> {
    if (!this.#store.isOpen) return this.#stop()
    try {
      const mark = await this.#store.commitMark()
      const isFirst = this.#commitMark === undefined
      if (mark === this.#commitMark) return
      this.#commitMark = mark
      if (!isFirst) this.#wake()
    } catch (error) {
      this.#log.error('could not check for commits of other processes', {
        error: describeError(error),
      })
    }
  }

  /** Combines commits before the next turn of the event loop, and commits during a report, into one report. */
  #wake(): void {
    for (const tell of this.#watchers) tell()
    if (this.#listeners.size === 0) return
    if (this.#isReporting) return
    this.#isReporting = true
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
        await this.#deliver(rows)
        await new Promise((resolve) => setImmediate(resolve))
      }
    } catch (error) {
      this.#log.error('changes were not announced', {
        behind: this.#seq,
        error: describeError(error),
      })
    } finally {
      this.#isReporting = false
    }
  }

  async #deliver(rows: readonly ChangeRow[]): Promise<void> {
    const due = rows.flatMap((row) => this.#dueFor(row))
    const deliveries = due.filter((item) => !item.listening.includesInvisible)
    const visible = new Map<string, ReadonlySet<number>>()
    for (const [who, group] of Map.groupBy(deliveries, (item) => accessKeyOf(item.listening.actor)))
      visible.set(
        who,
        await this.#visibleTo(
          group[0]!.listening.actor,
          group.map((item) => item.change),
        ),
      )
    for (const { listening, change } of due) {
      if (
        (!listening.includesInvisible &&
          !visible.get(accessKeyOf(listening.actor))!.has(change.seq)) ||
        !this.#isSubscribed(listening)
      )
        continue
      try {
        listening.onChange(change)
      } catch (error) {
        this.#log.error('a listener failed', { change: change.seq, error: describeError(error) })
      }
    }
  }

  /** Subscribers that follow a change, whether or not they may see it. */
  #dueFor(row: ChangeRow): { listening: RegisteredListener; change: LiveChange }[] {
    const followers = [row.item_id, `${row.org_id} ${row.item_type}`, row.org_id].flatMap((key) => [
      ...(this.#listeners.get(key) ?? []),
    ])
    if (followers.length === 0) return []
    const change = changeOf(row)
    const isConcerned = ({ actor, since, wants }: RegisteredListener) =>
      row.seq > since &&
      actor.org_id === row.org_id &&
      (row.for_person_id === null || row.for_person_id === actor.id) &&
      (wants?.(change) ?? true)
    return [...new Set(followers)].filter(isConcerned).map((listening) => ({ listening, change }))
  }

  #isSubscribed(listening: RegisteredListener): boolean {
    return listenerKeysOf(listening).some((key) => this.#listeners.get(key)?.has(listening))
  }

  /**
   * Changes whose items a person may see now; none once the key or the person is no longer valid. Access gained or lost is reported
   * only to that person.
   */
  async #visibleTo(actor: Actor, changes: readonly LiveChange[]): Promise<ReadonlySet<number>> {
    const currentActor = await this.#keys.currentActor(actor)
    const seen = new Set<number>()
    if (!currentActor) return seen
    const isAccessChange = (liveChange: LiveChange) =>
      liveChange.op === 'access_gained' || liveChange.op === 'access_lost'
    for (const change of changes) if (isAccessChange(change)) seen.add(change.seq)
    for (const [, group] of Map.groupBy(
      changes.filter((change) => !isAccessChange(change)),
      (change) => `${change.item.type} ${change.op === 'deleted'}`,
    )) {
      const resource = resourceOfType(group[0]!.item.type)
      const scope = accessScope({
        all: this.#store.read,
        actor: currentActor,
        now: this.#clock.now(),
        trash: group[0]!.op === 'deleted',
      })
      const rows = await resource?.among(
        scope,
        group.map((liveChange) => liveChange.item.id),
      )
      for (const liveChange of group) if (rows?.has(liveChange.item.id)) seen.add(liveChange.seq)
    }
    return seen
  }
}

function listenerKeysOf({ actor, items, types }: Listener): string[] {
  if (!items && !types) return [actor.org_id]
  return [...(items ?? []), ...(types ?? []).map((type) => `${actor.org_id} ${type}`)]
}

/** Identifies readers with the same access: a key may have fewer rights than its owner. */
function accessKeyOf({ id, key }: Actor): string {
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

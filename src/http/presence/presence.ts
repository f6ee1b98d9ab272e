import type { App } from '../../operations/app.ts'
import type { Actor } from '../../kernel/actor.ts'
import { describeError } from '../../db/failures.ts'
import { readWithoutLogging } from '../../operations/call/index.ts'
import { notFound } from '../../kernel/refusal.ts'
import { peopleHidingPresence } from './setting.ts'
import {
  itemsOf,
  viewersOf,
  followerPersonId,
  presentViewers,
  type PresentPerson,
  type AffectedFollower,
  type Follower,
  type PersonEventStream,
  type TextCursor,
} from './lookers.ts'
import { visibleItems } from './visible-items.ts'

export interface PresenceTimes {
  /** Milliseconds for which a tab counts as looking after its last report. */
  expiryMs: number
  /** Minimum time between two events on a stream. */
  minIntervalMs: number
  /** Milliseconds between checks for tabs that fell silent. */
  sweepIntervalMs: number
}

const defaultTimes: PresenceTimes = { expiryMs: 30_000, minIntervalMs: 250, sweepIntervalMs: 1000 }

/** Tabs per stream; the longest inactive one is dropped. */
const maxTabs = 20
export interface TabView {
  tab: string
  /** Ids of items that the person may see. */
  items: readonly string[]
  /** Item in which the person is typing. */
  typing: string | undefined
  /** Position of the person's cursor in the text of one of the items. */
  cursor: TextCursor | undefined
}

/**
 * Tracks who looks at which items and who types there, for the other people who look at the same items and may see
 * them at that moment. Held only in memory, and forgotten half a minute after someone looked away.
 */
export class Presence {
  readonly #app: App
  readonly #times: PresenceTimes
  readonly #followers = new Map<string, Follower>()
  /** Items to report on. */
  #due = new Set<string>()
  #timer: NodeJS.Timeout | undefined
  #sweep: NodeJS.Timeout | undefined
  #isNotifying = false

  /** `times`: for tests only. */
  constructor(app: App, times: Partial<PresenceTimes> = {}) {
    this.#app = app
    this.#times = { ...defaultTimes, ...times }
  }

  /** Registers an opened stream. Returns the function that ends it. */
  addStream(stream: PersonEventStream): () => void {
    const follower: Follower = { stream, tabs: new Map(), lastSent: new Map() }
    this.#followers.set(stream.id, follower)
    return () => {
      this.#followers.delete(stream.id)
      this.#scheduleReport(itemsOf(follower))
    }
  }

  /** @throws Refusal not_found if the stream has ended or belongs to someone else */
  requireStreamOf(streamId: string, actor: Actor): void {
    if (this.#followers.get(streamId)?.stream.reader.actor.id !== actor.id)
      throw notFound('stream', 'stream')
  }

  /** Records the items a tab shows; none if it is closed or hidden. */
  reportView(streamId: string, { tab, items, typing, cursor }: TabView): void {
    const follower = this.#followers.get(streamId)
    if (!follower) return // it ended meanwhile
    const { tabs, lastSent } = follower
    const before = tabs.get(tab)
    const hasMoved = !isSameCursor(before?.cursor, cursor)
    tabs.delete(tab)
    if (items.length > 0) {
      const { clock } = this.#app
      const now = clock.now()
      const since = items.map((id): [string, number] => [id, before?.items.get(id) ?? now])
      const spokeAt = clock.monotonic()
      const movedAt = hasMoved ? spokeAt : (before?.cursor?.movedAt ?? spokeAt)
      const movedCursor = cursor && { ...cursor, movedAt }
      tabs.set(tab, { reportedAt: spokeAt, items: new Map(since), typing, cursor: movedCursor })
      this.#dropOldestTabs(follower)
    }
    const current = new Set(items)
    const previous = new Set(before?.items.keys())
    for (const id of current.difference(previous)) lastSent.delete(id) // the tab has received no state of it yet
    const hasTypingMoved = before?.typing !== typing
    this.#scheduleReport([
      ...current.symmetricDifference(previous),
      ...[before?.typing, typing].filter((id) => id !== undefined && hasTypingMoved).map(String),
      ...(hasMoved ? [before?.cursor?.item, cursor?.item] : []).filter((id) => id !== undefined),
    ])
    this.#sweep ??= setInterval(() => this.#dropExpiredTabs(), this.#times.sweepIntervalMs).unref()
  }

  /** A person changed whether others may see them. */
  visibilityChanged(personId: string): void {
    const ownFollowers = [...this.#followers.values()].filter(
      (follower) => followerPersonId(follower) === personId,
    )
    this.#scheduleReport(ownFollowers.flatMap(itemsOf))
  }

  #dropOldestTabs(follower: Follower): void {
    for (const [tab, { items }] of follower.tabs) {
      if (follower.tabs.size <= maxTabs) return
      follower.tabs.delete(tab)
      this.#scheduleReport([...items.keys()])
    }
  }

  #dropExpiredTabs(): void {
    const oldest = this.#app.clock.monotonic() - this.#times.expiryMs
    let count = 0
    for (const { tabs } of this.#followers.values())
      for (const [tab, { reportedAt, items }] of tabs) {
        count++
        if (reportedAt > oldest) continue
        tabs.delete(tab)
        this.#scheduleReport([...items.keys()])
      }
    if (count > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #scheduleReport(items: readonly string[]): void {
    for (const id of items) this.#due.add(id)
    if (this.#due.size === 0 || this.#isNotifying || this.#timer) return
    this.#timer = setTimeout(() => void this.#notifyDue(), this.#times.minIntervalMs).unref()
  }

  async #notifyDue(): Promise<void> {
    this.#timer = undefined
    const due = this.#due
    this.#due = new Set()
    this.#isNotifying = true
    try {
      if (this.#app.store.isOpen) await this.#notify(due)
    } catch (error) {
      this.#app.log.error('presence could not be sent', { error: describeError(error) })
    } finally {
      this.#isNotifying = false
      this.#scheduleReport([])
    }
  }

  /** Sends everyone who views one of the items, and may see it now, the list of the others. */
  async #notify(due: ReadonlySet<string>): Promise<void> {
    const concerned = [...this.#followers.values()].flatMap((follower) => {
      const items = itemsOf(follower).filter((id) => due.has(id))
      return items.length > 0 ? [{ follower, items }] : []
    })
    const audience = await this.#audienceOf(concerned)
    const hidden = await peopleHidingPresence(this.#app.store, [...audience.keys()])
    for (const [id, { followers, visible }] of audience)
      for (const { follower, items } of followers) {
        const states = items.map((item) => {
          const viewers = visible.has(item) ? viewersOf(item, audience) : new Map()
          for (const hiddenId of [id, ...hidden]) viewers.delete(hiddenId)
          return { item, ...presentViewers(viewers) }
        })
        this.#notifyFollower(follower, states)
      }
  }

  #notifyFollower(
    follower: Follower,
    states: readonly { item: string; people: unknown[] }[],
  ): void {
    const { lastSent, stream } = follower
    const changedStates = states.filter((state) => {
      const lastState = lastSent.get(state.item)
      return lastState === undefined ? state.people.length > 0 : lastState !== JSON.stringify(state)
    })
    if (changedStates.length === 0) return
    if (!stream.send('presence', { event: 'presence', items: changedStates }))
      return this.#scheduleReport(changedStates.map((state) => state.item))
    for (const state of changedStates) lastSent.set(state.item, JSON.stringify(state))
  }

  /** By person: their valid streams, and the items visible with their current rights. */
  async #audienceOf(concerned: readonly AffectedFollower[]): Promise<Map<string, PresentPerson>> {
    const audience = new Map<string, PresentPerson>()
    for (const [id, personFollowers] of Map.groupBy(concerned, ({ follower }) =>
      followerPersonId(follower),
    ))
      for (const affected of personFollowers) {
        const { actor, request } = affected.follower.stream.reader
        const currentActor = await this.#app.keys.currentActor(actor)
        if (!currentActor) continue
        const existing = audience.get(id)
        if (existing) {
          existing.followers.push(affected)
          continue
        }
        const items = [...new Set(personFollowers.flatMap((other) => other.items))]
        const visible = await readWithoutLogging(this.#app, currentActor, request, (ctx) =>
          visibleItems(ctx, items),
        )
        audience.set(id, { name: currentActor.display_name, followers: [affected], visible })
      }
    return audience
  }
}

const isSameCursor = (first: TextCursor | undefined, other: TextCursor | undefined) =>
  first?.item === other?.item && first?.revision === other?.revision && first?.at === other?.at

import type { App } from '../../operations/app.ts'
import type { Actor } from '../../kernel/actor.ts'
import { describeError } from '../../db/failures.ts'
import { readWithoutLogging } from '../../operations/call/index.ts'
import { notFound } from '../../kernel/refusal.ts'
import { whoHidesPresence } from './setting.ts'
import {
  itemsOf,
  lookersAt,
  followerPersonId,
  presentLookers,
  type Audience,
  type Concerned,
  type Follower,
  type PersonEventStream,
  type TextCursor,
} from './lookers.ts'
import { visibleItems } from './visible-items.ts'

export interface PresenceTimes {
  /** Milliseconds for which a tab counts as looking after its last report. */
  keep: number
  /** Minimum time between two events on a stream. */
  gather: number
  /** Milliseconds between checks for tabs that fell silent. */
  sweep: number
}

const defaultTimes: PresenceTimes = { keep: 30_000, gather: 250, sweep: 1000 }

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
  #isTelling = false

  /** `times`: for tests only. */
  constructor(app: App, times: Partial<PresenceTimes> = {}) {
    this.#app = app
    this.#times = { ...defaultTimes, ...times }
  }

  /** Registers an opened stream. Returns the function that ends it. */
  join(stream: PersonEventStream): () => void {
    const follower: Follower = { stream, tabs: new Map(), lastSent: new Map() }
    this.#followers.set(stream.id, follower)
    return () => {
      this.#followers.delete(stream.id)
      this.#changed(itemsOf(follower))
    }
  }

  /** @throws Refusal not_found if the stream has ended or belongs to someone else */
  requireOwn(streamId: string, actor: Actor): void {
    if (this.#followers.get(streamId)?.stream.reader.actor.id !== actor.id)
      throw notFound('stream', 'stream')
  }

  /** Records the items a tab shows; none if it is closed or hidden. */
  look(streamId: string, { tab, items, typing, cursor }: TabView): void {
    const follower = this.#followers.get(streamId)
    if (!follower) return // it ended meanwhile
    const { tabs, lastSent } = follower
    const before = tabs.get(tab)
    const hasMoved = !isSamePlace(before?.cursor, cursor)
    tabs.delete(tab)
    if (items.length > 0) {
      const { clock } = this.#app
      const now = clock.now()
      const since = items.map((id): [string, number] => [id, before?.items.get(id) ?? now])
      const spokeAt = clock.monotonic()
      const movedAt = hasMoved ? spokeAt : (before?.cursor?.movedAt ?? spokeAt)
      const place = cursor && { ...cursor, movedAt }
      tabs.set(tab, { spokeAt, items: new Map(since), typing, cursor: place })
      this.#makeRoom(follower)
    }
    const here = new Set(items)
    const there = new Set(before?.items.keys())
    for (const id of here.difference(there)) lastSent.delete(id) // the tab knows nothing of it yet
    const isTypingElse = before?.typing !== typing
    this.#changed([
      ...here.symmetricDifference(there),
      ...[before?.typing, typing].filter((id) => id !== undefined && isTypingElse).map(String),
      ...(hasMoved ? [before?.cursor?.item, cursor?.item] : []).filter((id) => id !== undefined),
    ])
    this.#sweep ??= setInterval(() => this.#forgetSilent(), this.#times.sweep).unref()
  }

  /** A person changed whether others may see them. */
  settled(personId: string): void {
    const ownFollowers = [...this.#followers.values()].filter(
      (follower) => followerPersonId(follower) === personId,
    )
    this.#changed(ownFollowers.flatMap(itemsOf))
  }

  #makeRoom(follower: Follower): void {
    for (const [tab, { items }] of follower.tabs) {
      if (follower.tabs.size <= maxTabs) return
      follower.tabs.delete(tab)
      this.#changed([...items.keys()])
    }
  }

  #forgetSilent(): void {
    const oldest = this.#app.clock.monotonic() - this.#times.keep
    let count = 0
    for (const { tabs } of this.#followers.values())
      for (const [tab, { spokeAt, items }] of tabs) {
        count++
        if (spokeAt > oldest) continue
        tabs.delete(tab)
        this.#changed([...items.keys()])
      }
    if (count > 0) return
    clearInterval(this.#sweep)
    this.#sweep = undefined
  }

  #changed(items: readonly string[]): void {
    for (const id of items) this.#due.add(id)
    if (this.#due.size === 0 || this.#isTelling || this.#timer) return
    this.#timer = setTimeout(() => void this.#notifyDue(), this.#times.gather).unref()
  }

  async #notifyDue(): Promise<void> {
    this.#timer = undefined
    const due = this.#due
    this.#due = new Set()
    this.#isTelling = true
    try {
      if (this.#app.store.isOpen) await this.#tell(due)
    } catch (error) {
      this.#app.log.error('who looks at what was not told', { error: describeError(error) })
    } finally {
      this.#isTelling = false
      this.#changed([])
    }
  }

  /** Tells everyone viewing one of the items, with access to it now, who else is. */
  async #tell(due: ReadonlySet<string>): Promise<void> {
    const concerned = [...this.#followers.values()].flatMap((follower) => {
      const items = itemsOf(follower).filter((id) => due.has(id))
      return items.length > 0 ? [{ follower, items }] : []
    })
    const audience = await this.#audienceOf(concerned)
    const hidden = await whoHidesPresence(this.#app.store, [...audience.keys()])
    for (const [id, { followers, visible }] of audience)
      for (const { follower, items } of followers) {
        const states = items.map((item) => {
          const at = visible.has(item) ? lookersAt(item, audience) : new Map()
          for (const left of [id, ...hidden]) at.delete(left)
          return { item, ...presentLookers(at) }
        })
        this.#notifyFollower(follower, states)
      }
  }

  #notifyFollower(
    follower: Follower,
    states: readonly { item: string; people: unknown[] }[],
  ): void {
    const { lastSent, stream } = follower
    const news = states.filter((state) => {
      const lastState = lastSent.get(state.item)
      return lastState === undefined ? state.people.length > 0 : lastState !== JSON.stringify(state)
    })
    if (news.length === 0) return
    if (!stream.tell('presence', { event: 'presence', items: news }))
      return this.#changed(news.map((state) => state.item))
    for (const state of news) lastSent.set(state.item, JSON.stringify(state))
  }

  /** By person: their valid streams, and the items visible with their current rights. */
  async #audienceOf(concerned: readonly Concerned[]): Promise<Map<string, Audience>> {
    const audience = new Map<string, Audience>()
    for (const [id, own] of Map.groupBy(concerned, ({ follower }) => followerPersonId(follower)))
      for (const concerned of own) {
        const { actor, request } = concerned.follower.stream.reader
        const present = await this.#app.keys.currentActor(actor)
        if (!present) continue
        const existing = audience.get(id)
        if (existing) {
          existing.followers.push(concerned)
          continue
        }
        const items = [...new Set(own.flatMap((other) => other.items))]
        const visible = await readWithoutLogging(this.#app, present, request, (ctx) =>
          visibleItems(ctx, items),
        )
        audience.set(id, { name: present.display_name, followers: [concerned], visible })
      }
    return audience
  }
}

const isSamePlace = (first: TextCursor | undefined, other: TextCursor | undefined) =>
  first?.item === other?.item && first?.revision === other?.revision && first?.at === other?.at

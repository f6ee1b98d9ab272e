import type { Actor } from '../../kernel/actor.ts'
import { iso } from '../../kernel/time/times.ts'
import type { CallRequest } from '../../operations/call/request.ts'

/** People listed per item; for the rest only their number is sent. */
const maxShown = 20

/** An open event stream of a signed-in person. */
export interface PersonEventStream {
  readonly id: string
  readonly reader: { readonly actor: Actor; readonly request: CallRequest }
  /** False if its reader is behind and receives nothing. */
  send(event: string, payload: object): boolean
}

/** Cursor of a person in the text of an item: a position in the text of a revision. */
export interface TextCursor {
  item: string
  revision: number
  at: number
}

interface Tab {
  reportedAt: number
  /** Start of viewing, by item. */
  items: ReadonlyMap<string, number>
  typing: string | undefined
  cursor: (TextCursor & { movedAt: number }) | undefined
}

/** A stream with the items shown in its tabs. */
export interface Follower {
  stream: PersonEventStream
  tabs: Map<string, Tab>
  /** State last sent for each item, as JSON. */
  lastSent: Map<string, string>
}

/** A stream that views some of the items to report on. */
export interface AffectedFollower {
  follower: Follower
  items: readonly string[]
}

/** A person who may be notified and be seen by others. */
export interface PresentPerson {
  name: string
  followers: AffectedFollower[]
  /** Ids of items that they may see now. */
  visible: ReadonlySet<string>
}

interface Viewer {
  name: string
  since: number
  typing: boolean
  cursor: Tab['cursor']
}

export const followerPersonId = ({ stream }: Follower): string => stream.reader.actor.id

/** Items shown in all tabs of a stream. */
export const itemsOf = ({ tabs }: Follower): string[] => [
  ...new Set([...tabs.values()].flatMap((tab) => [...tab.items.keys()])),
]

/** People who look at an item and may see it, by person. */
export function viewersOf(
  item: string,
  audience: ReadonlyMap<string, PresentPerson>,
): Map<string, Viewer> {
  const viewersByPerson = new Map<string, Viewer>()
  for (const [id, { name, followers, visible }] of audience) {
    if (!visible.has(item)) continue
    for (const { items, typing, cursor } of followers.flatMap(({ follower }) => [
      ...follower.tabs.values(),
    ])) {
      const since = items.get(item)
      if (since === undefined) continue
      const existing = viewersByPerson.get(id)
      viewersByPerson.set(id, {
        name,
        since: Math.min(since, existing?.since ?? since),
        typing: typing === item || existing?.typing === true,
        cursor: lastMoved(existing?.cursor, cursor?.item === item ? cursor : undefined),
      })
    }
  }
  return viewersByPerson
}

/** Cursor of the tab in which the person moved last. */
function lastMoved(first: Tab['cursor'], other: Tab['cursor']): Tab['cursor'] {
  if (!first || !other) return first ?? other
  return other.movedAt > first.movedAt ? other : first
}

/** The first viewers for display, and the number of others. */
export function presentViewers(lookers: ReadonlyMap<string, Viewer>) {
  const all = [...lookers].toSorted(([, a], [, b]) => a.since - b.since)
  const people = all.slice(0, maxShown).map(([id, { name, since, typing, cursor }]) => ({
    person: { id, title: name },
    since: iso(since),
    typing,
    ...(cursor && { cursor: { revision: cursor.revision, at: cursor.at } }),
  }))
  return all.length > maxShown ? { people, more: all.length - maxShown } : { people }
}

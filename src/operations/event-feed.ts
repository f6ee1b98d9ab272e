import type { Kysely } from 'kysely'
import { columns, type Tables } from '../db/tables.ts'
import type { Id } from '../kernel/ids.ts'
import type { CatalogueView } from './entry.ts'
import { accessScopeOf } from '../records/access-scope.ts'
import type { ReadContext } from './context.ts'
import type { LiveChange } from '../events/live.ts'
import { itemResources } from '../records/resource.ts'
import type { Ref } from '../records/shapes.ts'

const always = ['created', 'updated', 'deleted', 'restored'] as const

/** Names of all events that items have, sorted: those of their kind and those common to all. */
export function eventNames(catalogue: CatalogueView): string[] {
  const types = itemResources()
    .filter((itemResource) => columns[itemResource.table].includes('revision'))
    .map((itemResource) => itemResource.definition.type)
  return [
    ...new Set([
      ...types.flatMap((type) => always.map((op) => `${type}.${op}`)),
      ...catalogue.modules.flatMap((module) => module.events ?? []),
    ]),
  ].sort()
}

/** Subscription to the events of the workspace, as received. */
export interface EventQuery {
  types?: readonly string[] | undefined
  events?: readonly string[] | undefined
  items?: readonly string[] | undefined
  project_id?: string | undefined
  since_cursor?: string | undefined
}

/** A subscriber's position: all changes up to one, and so many events of the next. */
export interface EventPlace {
  readonly seq: number
  readonly sent: number
}

/** One event as it is told, of a log in which a `P` is a place. */
export interface FeedEvent<P = EventPlace> {
  /** Cursor from which to continue; list_changes takes it as since_cursor. */
  readonly id: string
  readonly event: string
  /** The same as JSON, as a webhook receives it. */
  readonly payload: Readonly<Record<string, unknown>>
  /** Behind it. */
  readonly place: P
}

/** A log that can be subscribed to. */
export interface Followed<P> {
  readonly start: P
  /** Why it does not begin where it was asked to: what was before has to be listed anew. */
  readonly reset: 'too_old' | 'unknown' | undefined
  /** The next events after a position, for the person of the context; with `more`, there may be further ones. */
  next(
    ctx: ReadContext,
    from: P,
  ): Promise<{ events: readonly FeedEvent<P>[]; place: P; more: boolean }>
  /** A place as text. */
  cursor(place: P): string
  /** The position of the change that an event with this place belongs to, see EventFeed.position. */
  position?(place: P): number
}

/** Selection of changes that a subscriber follows. */
export interface Following extends Followed<EventPlace> {
  /** Whether a change can be among what is followed; who may see it is asked later. */
  wants(change: Pick<LiveChange, 'events' | 'item' | 'project_id' | 'op'>): boolean
}

export interface LastChange {
  at: string
  actor: Ref
  via: string
  key?: { title?: string; owner: Ref }
  automation?: Ref
  call_id?: string
}

/** The module that keeps the log of changes tells of them to those who follow. */
export interface EventFeed {
  /** The operation whose rights it takes: it tells as much. */
  readonly like: string
  /** @throws Refusal invalid_argument, not_found */
  follow(ctx: ReadContext, query: EventQuery): Promise<Following>
  /**
   * The position of an organization's newest change: rises with each change. A reading begins after it was taken, so that every
   * change up to the position is in the reading.
   */
  position(db: Kysely<Tables>, organization: Id<'orgs'>): Promise<number>
  /** Cursor of the stream after a position, as text. */
  cursorAt(position: number): string
  /** Returns the last change of each item; the reader must be able to see the items. */
  lastChanges(ctx: ReadContext, ids: readonly string[]): Promise<ReadonlyMap<string, LastChange>>
}

/** The feed of a catalogue that has one, as that of every server. */
export function feedOf({ feed }: { readonly feed?: EventFeed | undefined }): EventFeed {
  if (!feed) throw new Error('No module tells of changes.')
  return feed
}

/** The position in the events at this moment: taken before reading, it announces everything that changes meanwhile. */
export async function cursorNow(feed: EventFeed, ctx: ReadContext): Promise<string> {
  const { all, actor } = accessScopeOf(ctx)
  return feed.cursorAt(await feed.position(all, actor.org_id))
}

/** Subscription to the call log. */
export interface CallQuery {
  /** Callers: for administrators also everyone in the organization. */
  of: 'me' | 'organization'
  key_id?: string | undefined
  /** Behind which call, by its id; or a place, as text. */
  since?: string | undefined
}

/** A stream of the web app: what happens to one item, from a place on. Places are numbers. */
export interface PersonStream {
  /** Below /web, with the variable `id`. */
  path: string
  /** Its name in the call log. */
  name: string
  /** The operation whose rights it takes. */
  like: string
  /** `since`: the place to go on from. @throws Refusal not_found */
  follow(ctx: ReadContext, id: string, since: number): Promise<Followed<number>>
}

/** The module that keeps the call log tells of new entries to those who follow it. Their places are numbers in the order of the log. */
export interface CallFeed {
  /** The operation that shows as much. */
  readonly like: string
  /** @throws Refusal invalid_argument, not_found, permission_denied */
  follow(ctx: ReadContext, query: CallQuery): Promise<Followed<number>>
}

import type { Kysely } from 'kysely'
import { columns, type Tables } from '../db/tables.ts'
import type { Id } from '../kernel/ids.ts'
import type { CatalogueView } from './entry.ts'
import { accessScopeOf } from '../records/access-scope.ts'
import type { ReadContext } from './context.ts'
import type { LiveChange } from '../events/live.ts'
import { itemResources } from '../records/resource.ts'
import type { Ref } from '../records/shapes.ts'

const commonChanges = ['created', 'updated', 'deleted', 'restored'] as const

/** Sorted names of all item events: those of each kind and the common ones. */
export function eventNames(catalogue: CatalogueView): string[] {
  const types = itemResources()
    .filter((itemResource) => columns[itemResource.table].includes('revision'))
    .map((itemResource) => itemResource.definition.type)
  return [
    ...new Set([
      ...types.flatMap((type) => commonChanges.map((op) => `${type}.${op}`)),
      ...catalogue.modules.flatMap((module) => module.events ?? []),
    ]),
  ].sort()
}

/** Filters of a subscription to the events of the workspace, as received. */
export interface EventQuery {
  types?: readonly string[] | undefined
  events?: readonly string[] | undefined
  items?: readonly string[] | undefined
  project_id?: string | undefined
  since_cursor?: string | undefined
}

/** A subscriber's position: all changes up to one, plus a number of events of the next. */
export interface EventPlace {
  readonly seq: number
  readonly sent: number
}

/** One event of a log whose positions have type `P`. */
export interface FeedEvent<P = EventPlace> {
  /** Cursor from which to continue; list_changes takes it as since_cursor. */
  readonly id: string
  readonly event: string
  /** The JSON payload that a webhook receives. */
  readonly payload: Readonly<Record<string, unknown>>
  /** The position after this event. */
  readonly place: P
}

/** A subscription to a log: its start, and how to read on. */
export interface Subscription<P> {
  readonly start: P
  /** The reason for not starting at the requested position; the subscriber must then list the items again. */
  readonly reset: 'too_old' | 'unknown' | undefined
  /** The next events after a position, for the person of the context; `more` is true if there may be others. */
  next(
    ctx: ReadContext,
    from: P,
  ): Promise<{ events: readonly FeedEvent<P>[]; place: P; more: boolean }>
  /** A position as text. */
  cursor(place: P): string
  /** The change position of an event at this place; see EventFeed.position. */
  position?(place: P): number
}

/** A subscription to the log of changes. */
export interface ChangeSubscription extends Subscription<EventPlace> {
  /** True if a change can be relevant to the subscription; visibility is checked later. */
  mayMatch(change: Pick<LiveChange, 'events' | 'item' | 'project_id' | 'op'>): boolean
}

export interface LastChange {
  at: string
  actor: Ref
  via: string
  key?: { title?: string; owner: Ref }
  automation?: Ref
  call_id?: string
}

/** Lets subscribers follow the log of changes; provided by the module that keeps it. */
export interface EventFeed {
  /** The operation whose permissions apply, because it reveals as much. */
  readonly permissionsOf: string
  /** @throws Refusal invalid_argument, not_found */
  follow(ctx: ReadContext, query: EventQuery): Promise<ChangeSubscription>
  /**
   * Position of an organization's newest change; increases with each change. Take it before reading, so that the
   * result includes every change up to it.
   */
  position(db: Kysely<Tables>, organization: Id<'orgs'>): Promise<number>
  /** Cursor of the stream after a position, as text. */
  cursorAt(position: number): string
  /** Returns the last change of each item; the reader must be able to see the items. */
  lastChanges(ctx: ReadContext, ids: readonly string[]): Promise<ReadonlyMap<string, LastChange>>
}

/** The change feed of a catalogue. @throws Error if no module provides one; on a server, one always does */
export function feedOf({ feed }: { readonly feed?: EventFeed | undefined }): EventFeed {
  if (!feed) throw new Error('No module provides a change feed.')
  return feed
}

/** The current event position: taken before reading, it delivers everything that changes meanwhile. */
export async function cursorNow(feed: EventFeed, ctx: ReadContext): Promise<string> {
  const { all, actor } = accessScopeOf(ctx)
  return feed.cursorAt(await feed.position(all, actor.org_id))
}

/** Subscription to the call log. */
export interface CallQuery {
  /** Callers: for administrators also everyone in the organization. */
  of: 'me' | 'organization'
  key_id?: string | undefined
  /** Start after this call, given by id, or after a position as text. */
  since?: string | undefined
}

/** A stream of the web app: events of one item from a position on. Positions are numbers. */
export interface PersonStream {
  /** Path below /web, with the variable `id`. */
  path: string
  /** Its name in the call log. */
  name: string
  /** The operation whose permissions apply. */
  permissionsOf: string
  /** `since`: the position to continue from. @throws Refusal not_found */
  follow(ctx: ReadContext, id: string, since: number): Promise<Subscription<number>>
}

/**
 * Lets subscribers follow new entries of the call log; provided by the module that keeps it. Positions are numbers in
 * log order.
 */
export interface CallFeed {
  /** The operation whose permissions apply, as for EventFeed. */
  readonly permissionsOf: string
  /** @throws Refusal invalid_argument, not_found, permission_denied */
  follow(ctx: ReadContext, query: CallQuery): Promise<Subscription<number>>
}

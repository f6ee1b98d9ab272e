import { sql } from 'kysely'
import type { VisibleItems } from '../../search/worker/protocol.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { ItemTable, Resource, Row, Scoped } from '../../records/resource.ts'
import type { Viewer } from '../../records/access-scope.ts'

/** Who searches, as much as the kinds of items need to know of them. */
export interface Searcher extends Viewer {
  readonly actor: Actor
  readonly now: number
  readonly baseUrl: string
}

/** Filters that a kind of items knows. */
export interface ItemFilter {
  project?: Row<'projects'> | undefined
  /** Its creator, assignees or participants. */
  person?: Row<'users'> | undefined
}

/** What a hit shows besides its title. */
export interface HitFacts {
  people: string[]
  project?: Row<'projects'> | undefined
  /** What it lies in, where that is no project: a channel, a folder, a form. */
  place?: ItemLocation | undefined
  trust: 'internal' | 'external'
  /** When it took place, or was changed last; default: the time with which its text was indexed. */
  at?: number | undefined
}

/** A reference to what an item lies in. */
interface ItemLocation {
  type: string
  id: string
  key?: string
  title: string
  url: string
}

/** A kind of items that the one search finds. A module lists those that it has in its index.ts. */
export interface Searchable<T extends ItemTable = ItemTable> {
  /** As references name it: `task`. */
  kind: string
  /** What its texts are called in answers: "tasks". */
  source: string
  resource: Resource<T>
  /**
   * Where the texts of it lie (SearchText.container) of which the caller may see all. Each item
   * that is found is held against the resource all the same.
   */
  containers(ctx: Searcher): Promise<readonly string[]>
  /**
   * What the caller sees elsewhere: single items of containers whose others are not for them, so
   * that those have no part in any search.
   */
  sharedItems?(ctx: Searcher): Promise<readonly SharedItem[]>
  /**
   * Narrows to what a filter lets through; undefined where the kind has no such thing, so that
   * nothing of it is found.
   */
  narrow?(ctx: Searcher, rows: Scoped<T>, filter: ItemFilter): Scoped<T> | undefined
  facts?(ctx: Searcher, rows: readonly Row<T>[]): Promise<Map<string, HitFacts>>
  /** Whether a text of it (by its `ref`) is of strangers, though the item is not. */
  isForeign?(ref: string): boolean
  /**
   * Whose work each item is, and what they did; where it says nothing, no one's knowledge shows in
   * it.
   */
  work?(ctx: Searcher, rows: readonly Row<T>[]): Promise<Map<string, Contribution[]>>
}

/** An item that is seen, in a container of which not everything is. */
interface SharedItem {
  id: string
  container: string
}

/** A person's part in an item. */
export interface Contribution {
  person: string
  /** In words: "wrote it". */
  did: string
  /** How much it says of what they know, 0 to 1. */
  weight: number
}

/** Defines a kind of items to be found, its type erased. */
export function searchable<T extends ItemTable>(item: Searchable<T>): Searchable {
  return item as unknown as Searchable
}

/** Narrows a kind that lies in no project to the items that have the person in this column. */
export function byPerson(column: string) {
  return <T extends ItemTable>(
    _: Searcher,
    rows: Scoped<T>,
    { project, person }: ItemFilter,
  ): Scoped<T> | undefined => {
    if (project) return undefined
    return person ? rows.where(sql.ref(column), '=', person.id) : rows
  }
}

/** Where texts of a kind are that the caller may find. */
export interface SearchableScope {
  containers: readonly string[]
  visible: VisibleItems
}

/**
 * All containers in which texts of a kind lie that the caller may find, and which of those they see
 * as a whole.
 */
export async function searchScopeOf(ctx: Searcher, of: Searchable): Promise<SearchableScope> {
  const whole = await of.containers(ctx)
  const elsewhere = (await of.sharedItems?.(ctx)) ?? []
  return {
    containers: [...new Set([...whole, ...elsewhere.map((sharedItem) => sharedItem.container)])],
    visible: {
      type: of.kind,
      containers: whole,
      items: elsewhere.map((sharedItem) => sharedItem.id),
    },
  }
}

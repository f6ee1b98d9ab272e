import { sql } from 'kysely'
import type { VisibleItems } from '../../search/worker/protocol.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { ItemTable, Resource, Row, Scoped } from '../../records/resource.ts'
import type { Viewer } from '../../records/access-scope.ts'

/** Caller of a search, as far as the kinds of items need to know it. */
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

/** Details of a hit besides its title. */
export interface HitFacts {
  people: string[]
  project?: Row<'projects'> | undefined
  /** Location other than a project: a channel, a folder, a form. */
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
  /** Kind used in references: `task`. */
  kind: string
  /** Name of its texts in answers: "tasks". */
  source: string
  resource: Resource<T>
  /**
   * Containers (SearchText.container) whose texts the caller may all see. Each item found is
   * checked against the resource nevertheless.
   */
  containers(ctx: Searcher): Promise<readonly string[]>
  /**
   * Single items visible to the caller in containers that are otherwise closed to them; the other
   * items of those containers take no part in any search.
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
   * Contributors to each item and their part in it; an item without an entry is no evidence of anyone's
   * knowledge.
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
  /** Strength as evidence of a person's knowledge, 0 to 1. */
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

/** Scope of texts of a kind that the caller may find. */
export interface SearchableScope {
  containers: readonly string[]
  visible: VisibleItems
}

/**
 * All containers in which texts of a kind lie that the caller may find, and which of those they see
 * as a whole.
 */
export async function searchScopeOf(
  ctx: Searcher,
  searchable: Searchable,
): Promise<SearchableScope> {
  const whole = await searchable.containers(ctx)
  const elsewhere = (await searchable.sharedItems?.(ctx)) ?? []
  return {
    containers: [...new Set([...whole, ...elsewhere.map((sharedItem) => sharedItem.container)])],
    visible: {
      type: searchable.kind,
      containers: whole,
      items: elsewhere.map((sharedItem) => sharedItem.id),
    },
  }
}

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

/** Filters that a kind of item supports. */
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
  /** When it took place or last changed; default: the time of its indexed text. */
  at?: number | undefined
}

/** A reference to an item's container. */
interface ItemLocation {
  type: string
  id: string
  key?: string
  title: string
  url: string
}

/** A kind of item included in the global search. A module lists its kinds in its index.ts. */
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
  /** Applies a filter; undefined if the kind does not support it, so that none of its items match. */
  narrow?(ctx: Searcher, rows: Scoped<T>, filter: ItemFilter): Scoped<T> | undefined
  facts?(ctx: Searcher, rows: readonly Row<T>[]): Promise<Map<string, HitFacts>>
  /** True if a text of the item (by its `ref`) was written by outsiders, though the item was not. */
  isForeign?(ref: string): boolean
  /**
   * Contributors to each item and their part in it; an item without an entry is no evidence of anyone's
   * knowledge.
   */
  work?(ctx: Searcher, rows: readonly Row<T>[]): Promise<Map<string, Contribution[]>>
}

/** A visible item in a container that is only partly visible. */
interface SharedItem {
  id: string
  container: string
}

/** A person's role in an item. */
export interface Contribution {
  person: string
  /** In words, such as "wrote it". */
  did: string
  /** Strength as evidence of a person's knowledge, 0 to 1. */
  weight: number
}

/** Defines a searchable kind of item, with its type erased. */
export function searchable<T extends ItemTable>(item: Searchable<T>): Searchable {
  return item as unknown as Searchable
}

/** Narrows a kind without projects to the items with the person in this column. */
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

/** All containers with searchable texts of a kind, and which of them the caller can see completely. */
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

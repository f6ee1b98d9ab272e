import type { ActingKey } from '../kernel/actor.ts'
import type { Operation } from './any-operation.ts'
import type { Searchable } from './search/searchable.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { Viewer } from '../records/access-scope.ts'
import type { Schemas } from './schemas.ts'

/** An operation with what the core derived from it. */
export interface Entry {
  readonly operation: Operation
  readonly module: string
  readonly schemas: Schemas
  readonly coerce: (args: Record<string, unknown>) => Record<string, unknown>
  /** Method and path of its route. */
  readonly method: string
  readonly path: string
}

/** Presents items of one kind in answers, for every operation; `ctx` is the context of a read. */
export interface Presenter {
  /** The kind: `task`. */
  readonly type: string
  /** The operation that lists such items. */
  readonly operation: string
  /** The operation that reads one of them: `get_task`, else the list. */
  readonly reader: string
  /** Entries as in the list, by id; ids that the caller does not see are absent. */
  entries(ctx: Viewer, ids: readonly string[]): Promise<Map<string, object>>
  /** One row that the caller sees, as its reader answers; undefined where the list would leave it out. */
  item(ctx: Viewer, row: object): Promise<object | undefined>
}

/** Parts of a module that operations may read. */
interface ModuleView {
  readonly name: string
  readonly about: string
  readonly operations: readonly Operation[]
  readonly events?: readonly string[]
  readonly searchables?: readonly Searchable[]
  readonly jobs?: readonly { readonly name: string }[]
}

/** All operations and what every module says of itself, as operations see them. */
export interface CatalogueView {
  readonly modules: readonly ModuleView[]
  /** Listed operations, in the order of modules and files. */
  readonly entries: readonly Entry[]
  /** These and the unlisted ones. */
  readonly routes: readonly Entry[]
  /** Presenters of items, by kind. */
  readonly presenters: ReadonlyMap<string, Presenter>
  /** Names of the modules that have operations: what keys and connections can be narrowed to. */
  readonly toolsets: readonly string[]
  find(name: string): Entry | undefined
  /** @throws Refusal not_found */
  demand(name: string): Entry
  /** The operations that a key may use. */
  openTo(key: ActingKey | undefined): Entry[]
  /** The kinds of jobs that operations hand to their callers, who may follow and cancel them. */
  readonly startedJobs: ReadonlySet<string>
  /** Refusal for a tool that does not exist, with similar names as suggestions. */
  unknownTool(name: string): Refusal
}

import type { ActingKey } from '../kernel/actor.ts'
import type { Operation } from './any-operation.ts'
import type { Searchable } from './search/searchable.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { Viewer } from '../records/access-scope.ts'
import type { Schemas } from './schemas.ts'

/** An operation with everything that the core derives from it. */
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
  /** The item type: `task`. */
  readonly type: string
  /** The operation that lists such items. */
  readonly operation: string
  /** The operation that reads one of them: `get_task`, else the list. */
  readonly reader: string
  /** List entries by id; omits ids that the caller cannot see. */
  entries(ctx: Viewer, ids: readonly string[]): Promise<Map<string, object>>
  /** One visible row in the form of its reader; undefined if the list would omit it. */
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

/** All operations and module metadata, as available to operations. */
export interface CatalogueView {
  readonly modules: readonly ModuleView[]
  /** Listed operations, in the order of modules and files. */
  readonly entries: readonly Entry[]
  /** Listed and unlisted operations. */
  readonly routes: readonly Entry[]
  /** Presenters of items, by kind. */
  readonly presenters: ReadonlyMap<string, Presenter>
  /** Names of the modules with operations, to which keys and connections can be narrowed. */
  readonly toolsets: readonly string[]
  find(name: string): Entry | undefined
  /** @throws Refusal not_found */
  requireEntry(name: string): Entry
  /** The operations that a key may use. */
  openTo(key: ActingKey | undefined): Entry[]
  /** Kinds of jobs that operations return to their callers, who can follow and cancel them. */
  readonly startedJobs: ReadonlySet<string>
  /** Refusal for a tool that does not exist, with similar names as suggestions. */
  unknownTool(name: string): Refusal
}

import type { ActingKey } from '../kernel/actor.ts'
import type { Operation } from './any-operation.ts'
import type { Searchable } from './search/searchable.ts'
import type { Refusal } from '../kernel/refusal.ts'
import type { Schemas } from './schemas.ts'

/** An operation with what the core derived from it. */
export interface Entry {
  readonly operation: Operation
  readonly module: string
  readonly schemas: Schemas
  readonly mend: (args: Record<string, unknown>) => Record<string, unknown>
  /** Method and path of its route. */
  readonly method: string
  readonly path: string
}

/** What operations may know of a module. */
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
  /** Names of the modules that have operations: what keys and connections can be narrowed to. */
  readonly toolsets: readonly string[]
  find(name: string): Entry | undefined
  /** @throws Refusal not_found */
  demand(name: string): Entry
  /** The operations that a key may use. */
  openTo(key: ActingKey | undefined): Entry[]
  /** What is said of a tool that does not exist, with those that may be meant. */
  unknownTool(name: string): Refusal
}

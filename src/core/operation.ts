import type { Kysely } from 'kysely'
import { z } from 'zod'
import type { Tables } from '../db/tables.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { ItemTable, Mode, Need, Row } from './resource.ts'
import type { AnyItem, AnyItemNeed } from './items.ts'

export type Kind = 'read' | 'write' | 'destructive'

/** The rows that a call names, by the key under which the handler gets them. (`any`: a need of one table is no need of all.) */
export type Needs = Record<string, Need<any, any> | AnyItemNeed<any>>

type Given<N> =
  N extends AnyItemNeed<infer O> ? (O extends true ? AnyItem | undefined : AnyItem)
  : N extends { readonly table: infer T extends ItemTable; readonly mode: infer M extends Mode } ?
    M extends 'one' ? Row<T>
    : M extends 'maybe' ? Row<T> | undefined
    : M extends 'clearable' ? Row<T> | null | undefined
    : M extends 'many' ? Row<T>[]
    : Row<T>[] | undefined
  : never

export type Arguments<O extends Needs, I extends z.ZodRawShape> = { [K in keyof O]: Given<O[K]> } & z.infer<z.ZodObject<I>>

export type ContextOf<K extends Kind> = K extends 'read' ? ReadContext : WriteContext

export interface Definition<K extends Kind, O extends Needs, I extends z.ZodRawShape, Out extends z.ZodType> {
  name: string
  kind: K
  /** Writes: calling it again with the same arguments changes nothing more. Others get an idempotency_key. */
  idempotent?: boolean
  /** `POST /api/tasks/{task_id}/move` */
  rest: string
  /** One sentence for the tool's reader; the name of the thing first. */
  about: string
  /** Older names that still answer. */
  aliases?: readonly string[]
  on?: O
  input?: I
  output: Out
  /** Writes: takes dry_run, which runs everything and keeps nothing. */
  dryRun?: boolean
  /** Writes: takes expected_revision, held against the row of this key of `on`. */
  revision?: keyof O & string
  /** Arguments that callers look for here, and the operation that takes them: told when they are sent. */
  elsewhere?: Readonly<Record<string, string>>
  /** Served over REST only and left out of the catalogue: downloads and the like. */
  unlisted?: boolean
  handle(args: Arguments<O, I>, ctx: ContextOf<K>): Promise<z.input<Out>>
}

/** One operation as the core knows it, its types erased. */
export interface Operation extends Omit<Definition<Kind, Needs, z.ZodRawShape, z.ZodType>, 'handle'> {
  on: Needs
  input: z.ZodRawShape
  idempotent: boolean
  aliases: readonly string[]
  handle(args: never, ctx: never): Promise<unknown>
}

/** Defines an operation. Everything else about it (tool, route, schema, documentation, audit) follows from this literal. */
export function operation<K extends Kind, const O extends Needs = {}, I extends z.ZodRawShape = {}, Out extends z.ZodType = z.ZodType>(
  definition: Definition<K, O, I, Out>,
): Operation {
  return {
    ...definition,
    on: definition.on ?? {},
    input: definition.input ?? {},
    idempotent: definition.kind === 'read' || (definition.idempotent ?? false),
    aliases: definition.aliases ?? [],
  } as unknown as Operation
}

/** A module: what it is for, and its operations in the order of the documentation. */
export interface Module {
  name: string
  about: string
  operations: readonly Operation[]
  /** Work that comes due by itself (dates that pass, rows that expire); run about once a minute, in bounded pieces. */
  ticks?: readonly Tick[]
}

export interface Tick {
  name: string
  /** Does at most one piece of work (some ten milliseconds) and says whether there is more. Runs inside a job of the writer. */
  run(system: TickContext): Promise<boolean>
}

/** The house at work by itself: no caller, no person, everything in sight. Used by the files that hold a module's ticks only. */
export interface TickContext {
  readonly now: number
  /** Whole tables of all organizations, inside the writer's transaction: for finding what is due. */
  readonly all: Kysely<Tables>
  /**
   * Works under a person's name: recorded as their change via automation, with one entry in the call log under the tick's
   * name when anything changed. Where the person was deactivated, the organization's first active administrator stands in.
   * What throws is taken back as a whole, and thrown on.
   */
  as<T>(personId: string, work: (ctx: WriteContext) => Promise<T>): Promise<T>
}

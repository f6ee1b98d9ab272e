import type { z } from 'zod'
import type { Outbound } from '../outbound/outbound.ts'
import type { Kind, RowParams, Operation, OperationInfo } from './any-operation.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { AnyItem, AnyItemParam } from '../records/items.ts'
import type { Outside } from './jobs/job.ts'
import type { ItemTable, Mode, Row } from '../records/resource.ts'
import type { Settings } from '../config/settings.ts'

/** The row or rows that the handler receives for a parameter. */
export type ResolvedRow<N> =
  N extends AnyItemParam<infer O>
    ? O extends true
      ? AnyItem | undefined
      : AnyItem
    : N extends { readonly table: infer T extends ItemTable; readonly mode: infer M extends Mode }
      ? M extends 'one'
        ? Row<T>
        : M extends 'maybe'
          ? Row<T> | undefined
          : M extends 'clearable'
            ? Row<T> | null | undefined
            : M extends 'many'
              ? Row<T>[]
              : Row<T>[] | undefined
      : never

type Arguments<O extends RowParams, I extends z.ZodRawShape> = {
  [K in keyof O]: ResolvedRow<O[K]>
} & z.infer<z.ZodObject<I>>

type ContextOf<K extends Kind> = K extends 'read' ? ReadContext : WriteContext

export interface Definition<
  K extends Kind,
  O extends RowParams,
  I extends z.ZodRawShape,
  Out extends z.ZodType,
> extends OperationInfo {
  kind: K
  /** Writes: repeating the call with the same arguments has no further effect. Others get an idempotency_key. */
  idempotent?: boolean
  /** Former names that still work. */
  aliases?: readonly string[]
  on?: O
  input?: I
  output: Out
  /**
   * Kind of creation, for which REST answers 201: one new item, whose id is in the answer, or several, counted in
   * the field `changed`.
   * Default: `item` for names create_… or add_… that are POST and not idempotent; else `nothing`.
   */
  creates?: 'item' | 'items' | 'nothing'
  /** Writes: accepts expected_revision, checked against the row of this key of `on`. */
  revision?: keyof O & string
  /**
   * Writes: runs before the transaction, and may wait for the network. It gets the arguments as sent, and sees no
   * rows. Its error becomes the answer; its result is `ctx.prefetched` in the handler. Not run for nested calls.
   */
  prepare?(
    args: z.infer<z.ZodObject<I>>,
    outside: { readonly outbound: Outbound; readonly settings: Settings },
  ): Promise<unknown>
  /**
   * Fetches missing data from external servers. It gets the rows that the call names as visible to its caller. It runs
   * before the call is answered or any of it is written, outside any transaction, and stores the data
   * itself. Its result is `ctx.prefetched` in the handler, undefined if nothing could be fetched: it throws only
   * errors that should be the answer. Not run for dry runs or nested calls.
   */
  fetch?(args: Arguments<O, I>, outside: Outside): Promise<unknown>
  /**
   * Computes slow results, such as reading a file in a separate process (src/sandbox), before anything is written, so
   * that only the caller waits. It gets the rows as visible to the caller, only reads, and runs in a dry run, too.
   * Its result is `ctx.prefetched` in the handler. Not run for nested calls: `ctx.prefetched` is undefined there.
   */
  compute?(args: Arguments<O, I>, ctx: ReadContext): Promise<unknown>
  handle(args: Arguments<O, I>, ctx: ContextOf<K>): Promise<z.input<Out>>
}

/** Defines an operation. Everything else about it (tool, route, schema, documentation, audit) follows from this literal. */
export function operation<
  K extends Kind,
  const O extends RowParams = {},
  I extends z.ZodRawShape = {},
  Out extends z.ZodType = z.ZodType,
>(definition: Definition<K, O, I, Out>): Operation {
  const idempotent = definition.kind === 'read' || (definition.idempotent ?? false)
  const isNamedAsCreation =
    /^(create|add)_/.test(definition.name) && definition.rest.startsWith('POST ')
  return {
    ...definition,
    on: definition.on ?? {},
    input: definition.input ?? {},
    idempotent,
    creates: definition.creates ?? (isNamedAsCreation && !idempotent ? 'item' : 'nothing'),
    aliases: definition.aliases ?? [],
  } as Operation
}

/** The handlers of an operation in callable form. */
export interface Handlers {
  handle(args: object, ctx: ReadContext): Promise<unknown>
  fetch?(args: object, outside: Outside): Promise<unknown>
  compute?(args: object, ctx: ReadContext): Promise<unknown>
  prepare?(
    args: object,
    outside: { readonly outbound: Outbound; readonly settings: Settings },
  ): Promise<unknown>
}

import type { z } from 'zod'
import type { Outbound } from '../outbound/outbound.ts'
import type { Kind, RowParams, Operation, OperationInfo } from './any-operation.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { AnyItem, AnyItemParam } from '../records/items.ts'
import type { Outside } from './jobs/job.ts'
import type { ItemTable, Mode, Row } from '../records/resource.ts'
import type { Settings } from '../config/settings.ts'

/** The row, or the rows, that a parameter becomes for the handler. */
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
  /** Writes: calling it again with the same arguments changes nothing more. Others get an idempotency_key. */
  idempotent?: boolean
  /** Older names that still answer. */
  aliases?: readonly string[]
  on?: O
  input?: I
  output: Out
  /**
   * Kind of creation, for which REST answers 201: one new item, whose id is in the answer, or several, counted by its
   * `changed`.
   * Default: `item` for names create_… or add_… that are POST and not idempotent; else `nothing`.
   */
  creates?: 'item' | 'items' | 'nothing'
  /** Writes: takes expected_revision, held against the row of this key of `on`. */
  revision?: keyof O & string
  /**
   * Writes: runs before anything is opened, and may wait for the network. It knows the arguments as they were sent, and sees no rows.
   * What it throws is the answer; what it answers, the handler gets as `ctx.prefetched`. Where another operation makes the call, it does not run.
   */
  prepare?(
    args: z.infer<z.ZodObject<I>>,
    outside: { readonly outbound: Outbound; readonly settings: Settings },
  ): Promise<unknown>
  /**
   * Brings what is not here yet from servers outside, with the rows that the call names as its caller sees them. It runs before the call is
   * answered or anything of it is written, and outside of any transaction; what it keeps, it writes by itself. What it answers, the handler
   * gets as `ctx.prefetched`, and undefined where it could bring nothing: it throws only what is to be the answer. Not in a dry run, not where
   * another operation makes the call.
   */
  fetch?(args: Arguments<O, I>, outside: Outside): Promise<unknown>
  /**
   * Computes what takes long, such as reading a file in a process of its own (src/sandbox), before anything is written: no one waits for it
   * but the caller. It gets the rows as the caller sees them, reads only, and runs in a dry run, too. What it answers, the handler gets as
   * `ctx.prefetched`. Not where another operation makes the call: `ctx.prefetched` is undefined there.
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
  const isNamedSo = /^(create|add)_/.test(definition.name) && definition.rest.startsWith('POST ')
  return {
    ...definition,
    on: definition.on ?? {},
    input: definition.input ?? {},
    idempotent,
    creates: definition.creates ?? (isNamedSo && !idempotent ? 'item' : 'nothing'),
    aliases: definition.aliases ?? [],
  } as Operation
}

/** The handlers of an operation, as they are called. */
export interface Handlers {
  handle(args: object, ctx: ReadContext): Promise<unknown>
  fetch?(args: object, outside: Outside): Promise<unknown>
  compute?(args: object, ctx: ReadContext): Promise<unknown>
  prepare?(
    args: object,
    outside: { readonly outbound: Outbound; readonly settings: Settings },
  ): Promise<unknown>
}

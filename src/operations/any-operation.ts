import type { z } from 'zod'
import type { AnyItemParam } from '../records/items.ts'
import type { RowParam } from '../records/resource.ts'

export type Kind = 'read' | 'write' | 'destructive'

/**
 * The rows that a call names, by the handler's key for them. (`any`, because a parameter of a specific table cannot be
 * assigned to a parameter of any table.)
 */
export type RowParams = Record<string, RowParam<any, any> | AnyItemParam<any>>

export interface OperationInfo {
  name: string
  kind: Kind
  /** `POST /api/tasks/{task_id}/move` */
  rest: string
  /** One sentence that describes the tool; the name of the item first. */
  about: string
  /** Phrases in which people ask for it, short and separated by commas; for finding the tool, not for describing it. */
  searchHint?: string
  /** Writes: accepts dry_run, which runs everything and keeps nothing. */
  dryRun?: boolean
  /** Can take a long time; reports progress with ctx.progress(). */
  reportsProgress?: true
  /** The kind of job that continues large work: its handle is the field `job` of the answer. */
  startsJob?: string
  /** Fields of the answer that are shown once: a replay by idempotency key omits them. */
  redactOnReplay?: readonly string[]
  /** Writes that do not record some of their changes: the reason, shown when such a call is undone. */
  undoCaveat?: string
  /** Writes: its changes are undone all together or not at all. */
  atomicUndo?: true
  /**
   * Administrators can undo its calls even if they cannot see the changed items, because its changes affect hidden
   * ones.
   */
  administratorsMayUndo?: true
  /** Arguments that callers expect here, and the operation that accepts them: a hint in the error message. */
  argumentHints?: Readonly<Record<string, string>>
  /**
   * Number of requests it counts as in a key's rate limit; default 1. Searches 5, uploads 5, searches by meaning 10,
   * exports 20.
   */
  weight?: number
  /**
   * Sends something outside: mail, a share with guests, an export, a webhook. A function if that depends on the
   * unparsed arguments.
   */
  outbound?: true | ((args: Record<string, unknown>) => boolean)
  /**
   * Sends nothing itself, but its effects may send later, as determined by the resource (`isOutbound`): scheduled
   * mail, automations.
   */
  outboundLater?: true
  /**
   * All keys may call it, regardless of their modules (`held`: only keys that hold outbound). What each key can see in
   * its results is restricted elsewhere.
   */
  openToAllKeys?: true | 'held'
  /** Served over REST only and not in the catalogue, such as downloads. */
  unlisted?: boolean
}

/** An operation as used by the core, with erased types. */
export interface Operation extends OperationInfo {
  on: RowParams
  input: z.ZodRawShape
  output: z.ZodType
  idempotent: boolean
  creates: 'item' | 'items' | 'nothing'
  aliases: readonly string[]
  revision?: string
  handle(args: never, ctx: never): Promise<unknown>
  fetch?(args: never, external: never): Promise<unknown>
  compute?(args: never, ctx: never): Promise<unknown>
  prepare?(args: never, external: never): Promise<unknown>
}

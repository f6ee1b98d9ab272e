import type { z } from 'zod'
import type { AnyItemParam } from '../records/items.ts'
import type { RowParam } from '../records/resource.ts'

export type Kind = 'read' | 'write' | 'destructive'

/** The rows that a call names, by the key under which the handler gets them. (`any`: a parameter of one table is no parameter of all.) */
export type RowParams = Record<string, RowParam<any, any> | AnyItemParam<any>>

export interface OperationInfo {
  name: string
  kind: Kind
  /** `POST /api/tasks/{task_id}/move` */
  rest: string
  /** One sentence for the tool's reader; the name of the thing first. */
  about: string
  /** Phrases in which people ask for it, short and separated by commas; for finding the tool, not for describing it. */
  searchHint?: string
  /** Writes: takes dry_run, which runs everything and keeps nothing. */
  dryRun?: boolean
  /** Can take long, and tells how far it is by ctx.progress(). */
  reportsProgress?: true
  /** The kind of job that goes on with the work where that is much: its handle is the field `job` of the answer. */
  startsJob?: string
  /** Fields of the answer that are shown once: the first answer that an idempotency key gets again is without them. */
  redactOnReplay?: readonly string[]
  /** Writes that do not record some of what they change: the reason, shown when such a call is undone. */
  undoCaveat?: string
  /** Writes: its changes make sense together only, so that undo puts all of them back or none. */
  atomicUndo?: true
  /** An administrator undoes a call of it also where they do not see what it changed: it changed what it did not show. */
  undoneByAdministrators?: true
  /** Arguments that callers look for here, and the operation that takes them: told when they are sent. */
  argumentHints?: Readonly<Record<string, string>>
  /**
   * Number of requests it counts as in a key's rate limit; default 1. Searches 5, uploads 5, searches by meaning 10,
   * exports 20.
   */
  weight?: number
  /** It sends something outside: mail, a share with guests, an export, a webhook. A function where that depends on the arguments, which it gets as they came. */
  outbound?: true | ((args: Record<string, unknown>) => boolean)
  /** It sends nothing by itself, but what it sets off may send later, and the resource says when (`isOutbound`): scheduled mail, automations. */
  outboundLater?: true
  /** Keys may call it whatever modules they are for (`held`: those that hold outbound); what they see by it is narrowed elsewhere. */
  openToAllKeys?: true | 'held'
  /** Served over REST only and left out of the catalogue: downloads and the like. */
  unlisted?: boolean
}

/** One operation as the core knows it, its types erased. */
export interface Operation extends OperationInfo {
  on: RowParams
  input: z.ZodRawShape
  output: z.ZodType
  idempotent: boolean
  creates: 'item' | 'items' | 'nothing'
  aliases: readonly string[]
  revision?: string
  handle(args: never, ctx: never): Promise<unknown>
  fetch?(args: never, outside: never): Promise<unknown>
  compute?(args: never, ctx: never): Promise<unknown>
  prepare?(args: never, outside: never): Promise<unknown>
}

import type { Kysely } from 'kysely'
import type { z } from 'zod'
import type { Tables } from '../db/tables.ts'
import type { Outbound } from '../outbound/outbound.ts'
import type { ReadContext, WriteContext } from './context.ts'
import type { Document } from './documents.ts'
import type { CallFeed, EventFeed } from './events.ts'
import type { Cause } from './call/request.ts'
import type { ItemTable, Mode, Need, Row } from './resource.ts'
import type { AnyItem, AnyItemNeed } from './items.ts'
import type { Findable } from './finding.ts'
import type { JobKind, Outside, Schedule } from './jobs.ts'
import type { OpenPlace } from './open-places.ts'
import type { Watch } from './watches.ts'
import type { PersonAction } from './person-actions.ts'
import type { Prompt } from './prompts.ts'
import type { Settings } from './settings.ts'

export type Kind = 'read' | 'write' | 'destructive'

/** The rows that a call names, by the key under which the handler gets them. (`any`: a need of one table is no need of all.) */
export type Needs = Record<string, Need<any, any> | AnyItemNeed<any>>

type Given<N> =
  N extends AnyItemNeed<infer O>
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

type Arguments<O extends Needs, I extends z.ZodRawShape> = {
  [K in keyof O]: Given<O[K]>
} & z.infer<z.ZodObject<I>>

type ContextOf<K extends Kind> = K extends 'read' ? ReadContext : WriteContext

export interface Definition<
  K extends Kind,
  O extends Needs,
  I extends z.ZodRawShape,
  Out extends z.ZodType,
> {
  name: string
  kind: K
  /** Writes: calling it again with the same arguments changes nothing more. Others get an idempotency_key. */
  idempotent?: boolean
  /** `POST /api/tasks/{task_id}/move` */
  rest: string
  /** One sentence for the tool's reader; the name of the thing first. */
  about: string
  /** What people say when they want it, in short phrases separated by commas; for finding the tool, not for describing it. */
  searchHint?: string
  /** Older names that still answer. */
  aliases?: readonly string[]
  on?: O
  input?: I
  output: Out
  /**
   * What REST answers with 201: one new item, whose id is in the answer, or several, counted by its `changed`.
   * Default: `item` for what is named create_… or add_…, is not idempotent and is a POST; else `nothing`.
   */
  creates?: 'item' | 'items' | 'nothing'
  /** Writes: takes dry_run, which runs everything and keeps nothing. */
  dryRun?: boolean
  /** Writes: takes expected_revision, held against the row of this key of `on`. */
  revision?: keyof O & string
  /** Can take long, and tells how far it is by ctx.progress(). */
  reports?: true
  /**
   * Writes: runs before anything is opened, and may wait for the network. It knows the arguments as they were sent, and sees no rows.
   * What it throws is the answer; what it answers, the handler gets as `ctx.brought`. Where another operation makes the call, it does not run.
   */
  beforehand?(
    args: z.infer<z.ZodObject<I>>,
    outside: { readonly outbound: Outbound; readonly settings: Settings },
  ): Promise<unknown>
  /**
   * Brings what is not here yet from servers outside, with the rows that the call names as its caller sees them. It runs before the call is
   * answered or anything of it is written, and outside of any transaction; what it keeps, it writes by itself. What it answers, the handler
   * gets as `ctx.brought`, and undefined where it could bring nothing: it throws only what is to be the answer. Not in a dry run, not where
   * another operation makes the call.
   */
  bring?(args: Arguments<O, I>, outside: Outside): Promise<unknown>
  /**
   * Computes what takes long, such as reading a file in a process of its own (src/sandbox), before anything is written: nobody waits for it
   * but the caller. It gets the rows as the caller sees them, reads only, and runs in a dry run, too. What it answers, the handler gets as
   * `ctx.brought`. Not where another operation makes the call: `ctx.brought` is undefined there.
   */
  prepare?(args: Arguments<O, I>, ctx: ReadContext): Promise<unknown>
  /** Fields of the answer that are shown once: the first answer that an idempotency key gets again is without them. */
  once?: readonly string[]
  /** Writes that leave no record of some of what they change: why, for whoever wants to undo such a call. */
  unrecorded?: string
  /** Writes: its changes make sense together only, so that undo puts all of them back or none. */
  undoneWhole?: true
  /** Arguments that callers look for here, and the operation that takes them: told when they are sent. */
  elsewhere?: Readonly<Record<string, string>>
  /** How many requests it counts as in the rate limit of a key; default 1. Searches 5, uploads 5, searches by meaning 10, exports 20. */
  weight?: number
  /** It sends something outside: mail, a share with guests, an export, a webhook. A function where that depends on the arguments, which it gets as they came. */
  outbound?: true | ((args: Record<string, unknown>) => boolean)
  /** It sends nothing by itself, but what it sets off may send later, and the resource says when (`sends`): scheduled mail, automations. */
  opensLater?: true
  /** Keys may call it whatever modules they are for (`held`: those that hold outbound); what they see by it is narrowed elsewhere. */
  everyKey?: true | 'held'
  /** Served over REST only and left out of the catalogue: downloads and the like. */
  unlisted?: boolean
  handle(args: Arguments<O, I>, ctx: ContextOf<K>): Promise<z.input<Out>>
}

/** One operation as the core knows it, its types erased. */
export interface Operation
  extends Omit<
    Definition<Kind, Needs, z.ZodRawShape, z.ZodType>,
    'handle' | 'beforehand' | 'bring' | 'prepare'
  > {
  on: Needs
  input: z.ZodRawShape
  idempotent: boolean
  creates: 'item' | 'items' | 'nothing'
  aliases: readonly string[]
  handle(args: never, ctx: never): Promise<unknown>
  bring?(args: never, outside: Outside): Promise<unknown>
  prepare?(args: never, ctx: ReadContext): Promise<unknown>
  beforehand?(
    args: never,
    outside: { readonly outbound: Outbound; readonly settings: Settings },
  ): Promise<unknown>
}

/** Defines an operation. Everything else about it (tool, route, schema, documentation, audit) follows from this literal. */
export function operation<
  K extends Kind,
  const O extends Needs = {},
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
  } as unknown as Operation
}

/** A module: what it is for, and its operations in the order of the documentation. */
export interface Module {
  name: string
  about: string
  operations: readonly Operation[]
  /** Its items that assistants may read whole, as MCP resources. */
  documents?: readonly Document[]
  /** What people may ask an assistant for by name, as MCP prompts. */
  prompts?: readonly Prompt[]
  /** Tells of changes to those who follow the workspace; one module does. */
  feed?: EventFeed
  /** Tells of calls to those who follow the call log; one module does. */
  callFeed?: CallFeed
  /** Its items that the one search finds. */
  finds?: readonly Findable[]
  /** What anyone may read on the web, without a key. */
  places?: readonly OpenPlace[]
  /** What people do in the web app themselves, and never a key. */
  personActions?: readonly PersonAction[]
  /** Names of events that its items have besides created, updated, deleted and restored. */
  events?: readonly string[]
  /** Work that comes due by itself (dates that pass, rows that expire); run about once a minute, in bounded pieces. */
  ticks?: readonly Tick[]
  /** Work that outlives a request, is tried again where it fails, and may wait for the network. */
  jobs?: readonly JobKind[]
  /** When such work comes up by itself. */
  schedules?: readonly Schedule[]
  /** What goes on as long as the server does. */
  watches?: readonly Watch[]
}

export interface Tick {
  name: string
  /** Does at most one piece of work (some ten milliseconds) and says whether there is more. Runs inside a job of the writer. */
  run(system: TickContext): Promise<boolean>
  /** A tick that follows what changes: it is asked soon after each commit, with tables to read, whether there is something to do. */
  due?(all: Kysely<Tables>): Promise<boolean>
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
  as<T>(personId: string, work: (ctx: WriteContext) => Promise<T>, more?: ActingFor): Promise<T>
}

/** What bounds work under a person's name, and what it is done for. */
export interface ActingFor {
  /** A key of theirs, in whose bounds it is done. @throws NoRights where it has ended */
  key?: string | null | undefined
  /** The run of an automation that it belongs to. */
  cause?: Cause | undefined
  /** How it is recorded, where not via automation: it was done elsewhere and is only taken in here (sync), or the person does it themselves (api). */
  via?: 'sync' | 'api'
}

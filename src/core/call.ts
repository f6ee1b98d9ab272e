import type { Kysely } from 'kysely'
import { newCallId, type CallEntry } from '../audit/record.ts'
import { redactArguments } from '../audit/redact.ts'
import type { Tables } from '../db/tables.ts'
import type { Actor } from './actor.ts'
import type { App } from './app.ts'
import { argumentsHash, checkRevision, parseArguments, pickFields } from './arguments.ts'
import { closedTo, type Entry } from './catalogue.ts'
import type { WriteContext } from './context.ts'
import { AnyItemNeed, findItem } from './items.ts'
import type { Id } from './ids.ts'
import type { Kind } from './operation.ts'
import { asRefusal, describe } from './failures.ts'
import { notFound, Refusal } from './refusal.ts'
import type { ItemTable, Mode, Need, Row } from './resource.ts'
import { Rows } from './rows.ts'
import { seer, sight, type Sight } from './sight.ts'
import { dayLength } from './times.ts'

/** One request for an operation, from whichever transport. */
export interface CallRequest {
  tool: string
  args: unknown
  transport: 'mcp' | 'rest' | 'cli' | 'web' | 'automation'
  requestId: string
  /** As the transport names it: `POST /api/tasks`, `tools/call`. */
  route: string
  ip: string
  client?: { name: string; version?: string } | undefined
  /** From a header or _meta; the argument of that name wins. */
  idempotencyKey?: string | undefined
  signal?: AbortSignal | undefined
}

export interface Answer {
  value: unknown
  callId: string
  /** The first answer of an idempotency key, given again. */
  replayed: boolean
}

/**
 * The one pipeline that every caller goes through. The answer leaves after everything it tells of is durable, the entry
 * in the call log included.
 * @throws Refusal, and nothing else: whatever is unexpected is logged and shown as `internal` with a reference
 */
export async function call(app: App, actor: Actor, request: CallRequest): Promise<Answer> {
  const run = new Run(app, actor, request)
  try {
    return await run.answer()
  } catch (error) {
    throw await run.failed(asRefusal(app, error, request))
  }
}

/** Enters a call that was refused before its arguments could be read into the call log. Returns the refusal, for throwing. */
export async function refusedEarly(app: App, actor: Actor, request: CallRequest, error: unknown): Promise<Refusal> {
  return new Run(app, actor, request).failed(asRefusal(app, error, request))
}

/** What acted: its value, and what is to run once the writer's job is durable. */
export interface Acted<T> {
  value: T
  later: () => Promise<void>
}

/**
 * Lets work of the house itself write in a person's name, inside a job of the writer that is under way: the context, the
 * changes and the entry in the call log of a call, without an operation. Taken back as a whole where it throws.
 */
export function act<T>(app: App, actor: Actor, request: CallRequest, work: (ctx: WriteContext) => Promise<T>): Promise<Acted<T>> {
  return new Run(app, actor, request).act(work)
}

class Run {
  readonly #app: App
  readonly #actor: Actor
  readonly #request: CallRequest
  readonly #started: number
  readonly #now: number
  readonly #callId: Id<'calls'>
  #entry: Entry | undefined
  #items: { type: string; id: string }[] = []
  #later: (() => Promise<void>)[] = []
  #idempotencyKey: string | undefined
  #dryRun = false

  constructor(app: App, actor: Actor, request: CallRequest) {
    this.#app = app
    this.#actor = actor
    this.#request = request
    this.#started = app.clock.monotonic()
    this.#now = app.clock.now()
    this.#callId = newCallId(this.#now)
  }

  async answer(): Promise<Answer> {
    const entry = (this.#entry = this.#app.catalogue.demand(this.#request.tool))
    const closed = closedTo(this.#actor.key, entry)
    if (closed) throw closed
    const args = parseArguments(entry, this.#request.args)
    this.#dryRun = args.dry_run === true
    return entry.operation.kind === 'read' ? this.#read(entry, args) : this.#write(entry, args)
  }

  async #read(entry: Entry, args: Record<string, unknown>): Promise<Answer> {
    const look = sight({ all: this.#app.store.read, actor: this.#actor, now: this.#now })
    const value = await this.#invoke(entry, args, look, undefined)
    await this.#app.store.writer.append(() => this.#record('ok', null, value, 0))
    return { value, callId: this.#callId, replayed: false }
  }

  async #write(entry: Entry, args: Record<string, unknown>): Promise<Answer> {
    const { store, keys } = this.#app
    const asked = this.#takeIdempotencyKey(entry, args)
    const answer = await store.writer.run(async () => {
      keys.recheck(this.#actor)
      const first = asked && (await this.#replay(entry, asked, args))
      if (first) return first
      const look = sight({ all: store.write, actor: this.#actor, now: this.#now })
      return this.#dryRun ? this.#tried(entry, args, look) : this.#done(entry, args, look, asked)
    })
    void this.#runLater()
    return answer
  }

  async #done(entry: Entry, args: Record<string, unknown>, look: Sight, asked: string | undefined): Promise<Answer> {
    const rows = new Rows(look, this.#app.search)
    const value = await this.#invoke(entry, args, look, rows)
    this.#record('ok', null, value, await this.#keep(rows))
    if (asked) await this.#remember(entry, asked, args, value, look.all)
    return { value, callId: this.#callId, replayed: false }
  }

  /** Writes what the call changed; 1 where that is anything. */
  async #keep(rows: Rows): Promise<0 | 1> {
    const changed = await rows.flush(this.#callId, this.#actor.key?.id ?? null)
    for (const one of changed) this.#touch({ type: one.item_type, id: one.item_id })
    return changed.length > 0 ? 1 : 0
  }

  async act<T>(work: (ctx: WriteContext) => Promise<T>): Promise<Acted<T>> {
    const { raw, write } = this.#app.store
    const look = sight({ all: write, actor: this.#actor, now: this.#now })
    const rows = new Rows(look, this.#app.search)
    raw.write.exec('SAVEPOINT act')
    try {
      const value = await work(this.#context(look, rows))
      if (await this.#keep(rows)) this.#record('ok', null, undefined, 1, 'write')
      return { value, later: () => this.#runLater() }
    } catch (error) {
      if (raw.write.inTransaction) raw.write.exec('ROLLBACK TO act')
      throw error
    } finally {
      if (raw.write.inTransaction) raw.write.exec('RELEASE act')
    }
  }

  /** A dry run does all the work and takes it back; only its entry in the call log stays. */
  async #tried(entry: Entry, args: Record<string, unknown>, look: Sight): Promise<Answer> {
    const db = this.#app.store.raw.write
    db.exec('SAVEPOINT dry')
    try {
      const rows = new Rows(look, this.#app.search)
      const value = await this.#invoke(entry, args, look, rows)
      this.#later = []
      return { value, callId: this.#callId, replayed: false }
    } finally {
      if (db.inTransaction) db.exec('ROLLBACK TO dry; RELEASE dry')
      this.#record('ok', null, undefined, 0)
    }
  }

  /** Resolves what the call names, handles it, holds the answer against its schema where that is asked for. */
  async #invoke(entry: Entry, args: Record<string, unknown>, look: Sight, rows: Rows | undefined): Promise<unknown> {
    const ctx = this.#context(look, rows)
    const own = { ...args } // what is remembered of the call later is the arguments as they came, ids included
    const named = await this.#resolve(entry, own, ctx)
    checkRevision(entry, args, named)
    const value = await entry.operation.handle({ ...own, ...named } as never, ctx as never)
    if (this.#app.settings.check_answers) checkAnswer(entry, value)
    return pickFields(value, args.fields as string[] | undefined)
  }

  #context(look: Sight, rows: Rows | undefined): WriteContext {
    const { clock, baseUrl, settings, catalogue } = this.#app
    const nested = async (name: string, args: Record<string, unknown>) => this.#nested(name, args, look, rows)
    const context = {
      ...seer(look),
      actor: this.#actor,
      now: this.#now,
      clock,
      dryRun: this.#dryRun,
      baseUrl,
      settings,
      catalogue,
      callId: this.#callId,
      signal: this.#request.signal,
      call: nested,
    }
    if (!rows) return context as unknown as WriteContext
    return {
      ...context,
      add: rows.add.bind(rows),
      change: rows.change.bind(rows),
      changePart: rows.changePart.bind(rows),
      remove: rows.remove.bind(rows),
      trash: rows.trash.bind(rows),
      restore: rows.restore.bind(rows),
      putBack: rows.putBack.bind(rows),
      attempt: rows.attempt.bind(rows),
      event: rows.event.bind(rows),
      access: rows.access.bind(rows),
      later: (work: () => Promise<void>) => void this.#later.push(work),
    } as unknown as WriteContext
  }

  async #nested(name: string, args: Record<string, unknown>, look: Sight, rows: Rows | undefined): Promise<never> {
    const entry = this.#app.catalogue.demand(name)
    const closed = closedTo(this.#actor.key, entry)
    if (closed) throw closed
    if (entry.operation.kind !== 'read' && !rows) throw new Error(`A read may not call ${name}, which writes.`)
    return (await this.#invoke(entry, parseArguments(entry, args), look, rows)) as never
  }

  async #resolve(entry: Entry, args: Record<string, unknown>, ctx: WriteContext): Promise<Record<string, unknown>> {
    const rows: Record<string, unknown> = {}
    for (const { wire, key, need } of entry.schemas.needs) {
      const given = args[wire]
      delete args[wire]
      rows[key] = need instanceof AnyItemNeed ? await this.#resolveItem(ctx, need, given, wire) : await this.#resolveNeed(ctx, need, given, wire, rows)
    }
    return rows
  }

  async #resolveItem(ctx: WriteContext, need: AnyItemNeed<boolean>, given: unknown, wire: string): Promise<unknown> {
    if (given === undefined) return undefined
    const item = await findItem(ctx, given as string, need.level, wire)
    this.#touch({ type: item.resource.definition.type, id: item.row.id })
    return item
  }

  async #resolveNeed(ctx: WriteContext, need: Need<ItemTable, Mode>, given: unknown, wire: string, rows: Record<string, unknown>): Promise<unknown> {
    if (given === undefined || given === null) return given
    if (!Array.isArray(given)) return this.#demand(ctx, need, given as string, wire, rows)
    const found: { id: string }[] = []
    for (const [i, text] of (given as string[]).entries()) {
      const row = await this.#demand(ctx, need, text, `${wire}[${i}]`, rows)
      if (!found.some(one => one.id === row.id)) found.push(row)
    }
    return found
  }

  async #demand(ctx: WriteContext, need: Need<ItemTable, Mode>, text: string, wire: string, rows: Record<string, unknown>): Promise<{ id: string }> {
    const { resource, inside } = need
    const row = (await resource.demand(ctx, text, need.level, wire)) as Row<ItemTable> & { id: string }
    if (inside && (row as unknown as Record<string, unknown>)[inside.by] !== (rows[inside.of] as { id: string } | undefined)?.id) throw notFound(resource.name, wire)
    this.#touch({ type: resource.definition.type, id: row.id })
    return row
  }

  #touch(item: { type: string; id: string }): void {
    if (this.#items.length < 200 && !this.#items.some(one => one.id === item.id)) this.#items.push(item)
  }

  #takeIdempotencyKey(entry: Entry, args: Record<string, unknown>): string | undefined {
    const { idempotency_key } = args
    delete args.idempotency_key
    if (entry.operation.idempotent) return undefined
    this.#idempotencyKey = (idempotency_key as string | undefined) ?? this.#request.idempotencyKey
    return this.#idempotencyKey
  }

  async #replay(entry: Entry, key: string, args: Record<string, unknown>): Promise<Answer | undefined> {
    const first = await this.#app.store.write
      .selectFrom('replays')
      .selectAll()
      .where('actor_id', '=', this.#actor.id)
      .where('tool', '=', entry.operation.name)
      .where('idempotency_key', '=', key)
      .where('created_at', '>', this.#now - replayTime)
      .executeTakeFirst()
    if (!first) return undefined
    if (first.arguments_hash !== argumentsHash(args)) {
      throw new Refusal('idempotency_conflict', `idempotency_key: this key was used for ${entry.operation.name} with other arguments.`, { field: 'idempotency_key', hint: 'Use a new key for a new request.' })
    }
    this.#record('ok', null, undefined, 0)
    return { value: JSON.parse(first.answer_json) as unknown, callId: first.call_id, replayed: true }
  }

  async #remember(entry: Entry, key: string, args: Record<string, unknown>, value: unknown, db: Kysely<Tables>): Promise<void> {
    await db
      .insertInto('replays')
      .values({
        actor_id: this.#actor.id,
        tool: entry.operation.name,
        idempotency_key: key,
        arguments_hash: argumentsHash(args),
        answer_json: JSON.stringify(value),
        call_id: this.#callId,
        created_at: this.#now,
      })
      .onConflict(conflict => conflict.columns(['actor_id', 'tool', 'idempotency_key']).doUpdateSet(eb => ({
        arguments_hash: eb.ref('excluded.arguments_hash'),
        answer_json: eb.ref('excluded.answer_json'),
        call_id: eb.ref('excluded.call_id'),
        created_at: eb.ref('excluded.created_at'),
      })))
      .execute()
  }

  #record(status: CallEntry['status'], error: Refusal | null, value: unknown, changed: 0 | 1, kind: Kind = 'read'): void {
    const { transport, requestId, route, ip, client, tool, args } = this.#request
    const operation = this.#entry?.operation
    this.#app.callLog.append({
      id: this.#callId,
      org_id: this.#actor.org_id,
      at: this.#now,
      request_id: requestId,
      actor_id: this.#actor.id,
      key_id: this.#actor.key?.id ?? null,
      transport,
      tool: operation?.name ?? tool.slice(0, 80),
      kind: operation?.kind ?? kind,
      status,
      error_code: error?.code ?? null,
      result_count: countOf(value),
      changed,
      duration_us: Math.round((this.#app.clock.monotonic() - this.#started) * 1000),
      idempotency_key: this.#idempotencyKey ?? null,
      items: this.#items,
      details: { route, arguments: redactArguments(this.#entry?.schemas.input.shape ?? {}, args), ip, client },
    })
  }

  /** A refused or failed call is in the log before its answer leaves; where the log cannot be written, that is the answer. */
  async failed(refusal: Refusal): Promise<Refusal> {
    const status = refusal.code === 'permission_denied' || refusal.code === 'unauthenticated' ? 'denied' : 'error'
    this.#entry ??= this.#app.catalogue.find(this.#request.tool)
    try {
      await this.#app.store.writer.append(() => this.#record(status, refusal, undefined, 0))
    } catch (error) {
      return asRefusal(this.#app, error, this.#request)
    }
    refusal.callId = this.#callId
    return refusal
  }

  async #runLater(): Promise<void> {
    for (const work of this.#later) {
      await work().catch(error => this.#app.log.error('work after a commit failed', { call: this.#callId, error: describe(error) }))
    }
  }
}

/** How long the first answer of an idempotency key is given again, in milliseconds. */
export const replayTime = dayLength

function checkAnswer(entry: Entry, value: unknown): void {
  const parsed = entry.schemas.output.safeParse(value)
  if (!parsed.success) throw new Error(`${entry.operation.name} answered against its schema: ${parsed.error.message}`)
}

function countOf(value: unknown): number | null {
  const items = (value as { items?: unknown } | null | undefined)?.items
  return Array.isArray(items) ? items.length : null
}

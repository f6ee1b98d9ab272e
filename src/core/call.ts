import { newCallId } from '../audit/record.ts'
import type { CallEntry } from '../audit/entry.ts'
import { redactArguments } from '../audit/redact.ts'
import type { WatchedOperation } from '../limits/abuse.ts'
import type { LetIn } from '../limits/limits.ts'
import type { Actor } from './actor.ts'
import { callAgain, fit, type Cut, type Fitted } from './answer-limits.ts'
import type { App } from './app.ts'
import type { CallRequest } from './call-request.ts'
import {
  demandWaiting,
  mustWait,
  sends,
  SendsWithin,
  settleApproval,
  waitForApproval,
} from './approvals.ts'
import { idsIn } from './approval-items.ts'
import {
  argumentsHash,
  checkRevision,
  parseArguments,
  pickFields,
  withOneLineNames,
} from './arguments.ts'
import { closedTo } from './catalogue.ts'
import type { Entry } from './entry.ts'
import type { ReadContext, WriteContext } from './context.ts'
import { contextOf } from './contexts.ts'
import { checkLiveKeys } from './live-keys.ts'
import type { Id } from './ids.ts'
import type { Kind } from './any-operation.ts'
import { asRefusal, describe } from './failures.ts'
import { Progress } from './progress.ts'
import type { Handlers } from './operation.ts'
import { namedRows } from './named-rows.ts'
import { Notices } from './notices.ts'
import { Refusal } from './refusal.ts'
import { firstAnswer, keepAnswer, type MadeWith } from './replays.ts'
import { Rows } from './rows.ts'
import { sight, type Sight } from './sight.ts'
import { unknownIn, unknownOf } from './unknown-ids.ts'

export interface Answer {
  value: unknown
  callId: string
  /** The first answer of an idempotency key, given again. */
  replayed: boolean
  /** The value as compact JSON, and what was cut from it; where the request says how large it may be. */
  text?: string
  cut?: Cut
}

/**
 * The one pipeline that every caller goes through. The answer leaves after everything it tells of is durable, the entry
 * in the call log included.
 * @throws Refusal, and nothing else: whatever is unexpected is logged and shown as `internal` with a reference
 */
export async function call(app: App, actor: Actor, request: CallRequest): Promise<Answer> {
  const run = new Run(app, actor, request)
  try {
    const answer = await run.answer()
    run.meter('ok')
    return answer
  } catch (error) {
    throw await run.failed(asRefusal(app.log, error, request))
  }
}

/** Enters a call that was refused before its arguments could be read into the call log. Returns the refusal, for throwing. */
export async function refusedEarly(
  app: App,
  actor: Actor,
  request: CallRequest,
  error: unknown,
): Promise<Refusal> {
  return new Run(app, actor, request).failed(asRefusal(app.log, error, request))
}

/** Enters what a caller looked at beside the operations, such as the list of tools, into the call log. */
export function noted(app: App, actor: Actor, request: CallRequest): Promise<void> {
  return new Run(app, actor, request).noted()
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
export function act<T>(
  app: App,
  actor: Actor,
  request: CallRequest,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<Acted<T>> {
  return new Run(app, actor, request).act(work)
}

/**
 * Lets work outside of operations read in a person's name: with the context of a call and an entry in the call log under the
 * request's name, where it is refused too.
 * @throws Refusal, and nothing else
 */
export async function look<T>(
  app: App,
  actor: Actor,
  request: CallRequest,
  work: (ctx: ReadContext) => Promise<T>,
): Promise<T> {
  const run = new Run(app, actor, request)
  try {
    const value = await run.look(work)
    run.meter('ok')
    return value
  } catch (error) {
    throw await run.failed(asRefusal(app.log, error, request))
  }
}

/** Lets what a call has opened go on reading in its caller's name, as key and person are by then: without an entry of its own. */
export function readOn<T>(
  app: App,
  actor: Actor,
  request: CallRequest,
  work: (ctx: ReadContext) => Promise<T>,
): Promise<T> {
  return new Run(app, actor, request).readOn(work)
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
  readonly #notices = new Notices()
  #idempotencyKey: string | undefined
  #dryRun = false
  /** The answer before it was shaped: what the call log and the limits count. */
  #whole: unknown
  #progress: Progress | undefined
  #letIn: LetIn | undefined
  #isKnownToSend = false
  #changesOutside = false
  #brought: unknown

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
    const closed = this.#refusalFor(entry)
    if (closed) throw closed
    const answer = await this.#withinLimits(entry.operation, () => this.#answer(entry))
    this.#app.limits.unknown(this.#actor, this.#request.transport, unknownIn(answer.value))
    return answer
  }

  async #answer(entry: Entry): Promise<Answer> {
    const { transport, args: given } = this.#request
    const args = parseArguments(
      entry,
      transport === 'automation' ? withOneLineNames(entry, given) : given,
    )
    this.#dryRun = args.dry_run === true
    if (this.#hasToWait(entry, args)) return this.#wait(entry, args)
    try {
      return await (entry.operation.kind === 'read'
        ? this.#read(entry, args)
        : this.#write(entry, args))
    } catch (error) {
      if (error instanceof SendsWithin) return this.#wait(entry, args)
      throw error
    }
  }

  /** Whether the call sends something outside with a key that may not without a person. */
  #hasToWait(entry: Entry, args: Record<string, unknown>): boolean {
    if (!sends(entry, args)) return false
    this.#isKnownToSend = true
    return this.#maySendOnlyReleased(entry)
  }

  /** Counts the call as one that sends something outside. */
  #maySendOnlyReleased({ operation: { name } }: Entry): boolean {
    const { key } = this.#actor
    if (this.#dryRun || this.#request.released) return false
    if (this.#request.cause?.held) return true
    if (!key) return false
    return (
      key.hold_outbound ||
      (this.#letIn !== undefined && this.#app.limits.sendsTooOften(this.#actor, this.#letIn, name))
    )
  }

  /** The same for an operation that does not say so, such as one that brings back what somebody had stopped: by what became of its rows. */
  #checkSends(entry: Entry, rows: Rows): void {
    if (rows.changesOutside) {
      this.#changesOutside = true
      throw new SendsWithin(entry.operation.name)
    }
    if (rows.sends && !this.#isKnownToSend && this.#maySendOnlyReleased(entry))
      throw new SendsWithin(entry.operation.name)
  }

  /** Whether nothing that people outside see may be changed without a person. */
  get #isHeld(): boolean {
    const { cause, released } = this.#request
    if (released) return false
    return (
      cause?.held === true ||
      this.#actor.key?.hold_outbound === true ||
      this.#app.limits.isHeldFromSending(this.#actor)
    )
  }

  #rows(look: Sight): Rows {
    return new Rows(look, this.#app.search, { watchesOutside: this.#isHeld })
  }

  /** The idempotency key of a header is kept like an argument. */
  #checkLiveKeys(args: Record<string, unknown>): void {
    checkLiveKeys(this.#app, { idempotency_key: this.#request.idempotencyKey, ...args })
  }

  /**
   * What is wrong with the call is said at once; otherwise it waits. What goes outside to find out (`beforehand`) has to wait, too: looking up
   * a name that the caller made up already tells its owner what the caller knows.
   */
  async #wait(entry: Entry, args: Record<string, unknown>): Promise<Answer> {
    const { store, keys } = this.#app
    this.#checkLiveKeys(args)
    const own = { ...args }
    const idempotencyKey = this.#takeIdempotencyKey(entry, own)
    await this.#resolve(entry, { ...own }, this.#context(this.#sight(store.read), undefined))
    const { idempotency_key: _, ...asSent } = (this.#request.args ?? {}) as Record<string, unknown>
    const { requestId, ip } = this.#request
    const items = [...this.#items.map((item) => item.id), ...idsIn(asSent)]
    const of = {
      actor: this.#actor,
      tool: entry.operation.name,
      args: asSent,
      argumentsHash: argumentsHash(own),
      idempotencyKey,
      requestId,
      ip,
      items,
    }
    const found = await store.writer.run(async () => {
      keys.recheck(this.#actor)
      const first = idempotencyKey !== undefined && (await this.#replay(entry, idempotencyKey, own))
      if (first) return { kept: first }
      const known = await waitForApproval(store.write, this.#now, of)
      if ('kept' in known) this.#record('ok', null, undefined, 0)
      return known
    })
    if ('waiting' in found) throw mustWait(found.waiting, this.#actor, this.#changesOutside)
    return { ...found.kept, ...(await this.#fit(entry, args, found.kept.value)), replayed: true }
  }

  /** In the transaction of a call that waited: it is made once. */
  async #settle(entry: Entry, answer: Answer): Promise<void> {
    const { released } = this.#request
    if (released)
      await settleApproval(this.#app.store.write, this.#now, released.approval, released.by, {
        callId: answer.callId,
        value: withoutSecrets(entry, answer.value),
      })
  }

  async #withinLimits<T>(operation: WatchedOperation, work: () => Promise<T>): Promise<T> {
    const { limits } = this.#app
    const letIn = (this.#letIn = limits.begin(this.#actor, this.#request, operation, this.#now))
    let served = false
    try {
      const value = await work()
      served = true
      return value
    } finally {
      limits.end(letIn, served, this.#request.requestId)
    }
  }

  #refusalFor(entry: Entry): Refusal | undefined {
    return closedTo(this.#actor.key, entry) ?? this.#request.refusalFor?.(entry)
  }

  async #read(entry: Entry, args: Record<string, unknown>): Promise<Answer> {
    await this.#bring(entry, args)
    const look = this.#sight(this.#app.store.read)
    if (this.#request.released) await demandWaiting(look, this.#request.released)
    const ask = (limit?: number) =>
      this.#invoke(entry, limit === undefined ? args : { ...args, limit }, look, undefined)
    const fitted = await this.#fit(entry, args, await ask(), ask)
    this.#tellRead(fitted)
    await this.#recordAlone('ok', null, this.#whole)
    const answer = { ...fitted, callId: this.#callId, replayed: false }
    if (this.#request.released) await this.#app.store.writer.run(() => this.#settle(entry, answer))
    return answer
  }

  /** Lets the operation bring what it needs from outside, or compute it, once the caller has been found to see what it names. */
  async #bring(entry: Entry, args: Record<string, unknown>): Promise<void> {
    const { name } = entry.operation
    const { bring, prepare }: Handlers = entry.operation
    const brings = bring && !this.#dryRun
    if (!brings && !prepare) return
    const own = { ...args }
    const ctx = this.#context(this.#sight(this.#app.store.read), undefined)
    const named = await this.#resolve(entry, own, ctx)
    if (brings)
      this.#brought = await bring(
        { ...own, ...named },
        this.#app.outside(name, this.#request.signal),
      )
    if (prepare) this.#brought = await prepare({ ...own, ...named }, ctx)
  }

  async #fit(
    entry: Entry,
    args: Record<string, unknown>,
    value: unknown,
    again?: (limit: number) => Promise<unknown>,
  ): Promise<Fitted | { value: unknown }> {
    const { largest, shape } = this.#request
    this.#whole = value
    const shaped = shape ? shape(entry, args, value) : value
    if (largest === undefined) return { value: shaped }
    const page =
      again &&
      (async (limit: number) => {
        this.#whole = await again(limit)
        return shape ? shape(entry, args, this.#whole) : this.#whole
      })
    return fit(entry, shaped, {
      largest,
      ...(page ? { again: page } : {}),
      call: () => callAgain(entry, args, this.#app.baseUrl),
    })
  }

  async #write(entry: Entry, args: Record<string, unknown>): Promise<Answer> {
    const { store, keys, outbound, settings } = this.#app
    this.#checkLiveKeys(args)
    const asked = this.#takeIdempotencyKey(entry, args)
    const operation: Handlers = entry.operation
    this.#brought = await operation.beforehand?.(args, { outbound, settings })
    await this.#bring(entry, args)
    const answer = await store.writer.run(async () => {
      keys.recheck(this.#actor)
      const look = this.#sight(store.write)
      if (this.#request.released) await demandWaiting(look, this.#request.released)
      const first = asked && (await this.#replay(entry, asked, args))
      if (this.#dryRun && !first) return this.#tried(entry, args, look)
      const answer = first || (await this.#done(entry, args, look, asked))
      await this.#settle(entry, answer)
      return answer
    })
    void this.#runLater()
    return { ...answer, ...(await this.#fit(entry, args, answer.value)) }
  }

  async #done(
    entry: Entry,
    args: Record<string, unknown>,
    look: Sight,
    asked: string | undefined,
  ): Promise<Answer> {
    const rows = this.#rows(look)
    const value = await this.#invoke(entry, args, look, rows)
    this.#checkSends(entry, rows)
    this.#record('ok', null, value, await this.#keep(rows, look))
    if (asked)
      await keepAnswer(look.all, this.#now, this.#madeWith(entry, asked, args), {
        call_id: this.#callId,
        value: withoutSecrets(entry, value),
      })
    return { value, callId: this.#callId, replayed: false }
  }

  /** Writes what the call changed; 1 where that is anything. */
  async #keep(rows: Rows, look: Sight): Promise<0 | 1> {
    await this.#notices.flush(look, this.#actor)
    const changed = await rows.flush(
      this.#callId,
      this.#actor.key?.id ?? null,
      this.#request.cause?.run ?? null,
    )
    for (const one of changed) this.#touch({ type: one.item_type, id: one.item_id })
    if (this.#letIn) this.#app.limits.changed(this.#actor, this.#letIn, changed, this.#now)
    return changed.length > 0 ? 1 : 0
  }

  #tellRead(fitted: Fitted | { value: unknown }): void {
    const { limits } = this.#app
    limits.read(this.#actor, this.#letIn!, this.#whole)
    if ('text' in fitted) limits.answered(this.#actor, fitted.text.length)
  }

  look<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T> {
    return this.#withinLimits({ name: this.#request.tool, kind: 'read' }, () => this.#look(work))
  }

  readOn<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T> {
    return work(this.#context(this.#sight(this.#app.store.read), undefined))
  }

  async #look<T>(work: (ctx: ReadContext) => Promise<T>): Promise<T> {
    const value = await this.readOn(work)
    await this.#recordAlone('ok', null, value)
    return value
  }

  noted(): Promise<void> {
    return this.#recordAlone('ok', null, undefined)
  }

  async act<T>(work: (ctx: WriteContext) => Promise<T>): Promise<Acted<T>> {
    const { raw, write } = this.#app.store
    const look = this.#sight(write)
    const rows = this.#rows(look)
    raw.write.exec('SAVEPOINT act')
    try {
      const value = await work(this.#context(look, rows))
      if (rows.changesOutside) throw visibleSince(this.#actor)
      if (await this.#keep(rows, look)) this.#record('ok', null, undefined, 1, 'write')
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
      const rows = this.#rows(look)
      const value = await this.#invoke(entry, args, look, rows)
      this.#later = []
      this.#notices.backTo(0)
      return { value, callId: this.#callId, replayed: false }
    } finally {
      if (db.inTransaction) db.exec('ROLLBACK TO dry; RELEASE dry')
      this.#record('ok', null, undefined, 0)
    }
  }

  /** Resolves what the call names, handles it, holds the answer against its schema where that is asked for. */
  async #invoke(
    entry: Entry,
    args: Record<string, unknown>,
    look: Sight,
    rows: Rows | undefined,
    isNested = false,
  ): Promise<unknown> {
    const ctx = this.#context(
      look,
      rows,
      this.#reporterOf(entry, isNested),
      isNested ? undefined : this.#brought,
    )
    const own = { ...args } // what is remembered of the call later is the arguments as they came, ids included
    const named = await this.#resolve(entry, own, ctx)
    checkRevision(entry, args, named)
    const operation: Handlers = entry.operation
    const value = await operation.handle({ ...own, ...named }, ctx)
    if (this.#app.settings.check_answers) checkAnswer(entry, value)
    return entry.schemas.itemFields ? pickFields(value, args.fields as string[] | undefined) : value
  }

  /** What an operation tells its progress to. One that another calls is a part of that one, which alone knows how large. */
  #reporterOf({ operation: { name, reports } }: Entry, isNested: boolean): ReadContext['progress'] {
    if (!reports && this.#app.settings.check_answers)
      return () => {
        throw new Error(
          `${name} reports progress and does not say so: its definition needs reports: true.`,
        )
      }
    const { progress } = this.#request
    if (!reports || isNested || !progress) return () => {}
    const own = (this.#progress ??= new Progress(progress, this.#app.clock))
    return (done, total, message) => own.report(done, total, message)
  }

  #sight(all: Sight['all']): Sight {
    return sight({ all, actor: this.#actor, now: this.#now, baseUrl: this.#app.baseUrl })
  }

  #context(
    look: Sight,
    rows: Rows | undefined,
    progress?: ReadContext['progress'],
    brought?: unknown,
  ): WriteContext {
    const { signal } = this.#request
    return contextOf(
      {
        app: this.#app,
        actor: this.#actor,
        now: this.#now,
        callId: this.#callId,
        dryRun: this.#dryRun,
        signal,
        notices: this.#notices,
        refusalFor: (entry) => this.#refusalFor(entry),
        nested: (name, args, own, written) => this.#nested(name, args, own, written),
        later: (work) => void this.#later.push(work),
      },
      look,
      rows,
      progress,
      brought,
    )
  }

  async #nested(
    name: string,
    args: Record<string, unknown>,
    look: Sight,
    rows: Rows | undefined,
  ): Promise<never> {
    const entry = this.#app.catalogue.demand(name)
    const closed = this.#refusalFor(entry)
    if (closed) throw closed
    if (entry.operation.kind !== 'read' && !rows)
      throw new Error(`A read may not call ${name}, which writes.`)
    const parsed = parseArguments(entry, withOneLineNames(entry, args))
    if (this.#hasToWait(entry, parsed)) throw new SendsWithin(name)
    return (await this.#invoke(entry, parsed, look, rows, true)) as never
  }

  #resolve(
    entry: Entry,
    args: Record<string, unknown>,
    ctx: WriteContext,
  ): Promise<Record<string, unknown>> {
    return namedRows(entry, args, ctx, (item) => this.#touch(item))
  }

  #touch(item: { type: string; id: string }): void {
    if (this.#items.length < 200 && !this.#items.some((one) => one.id === item.id))
      this.#items.push(item)
  }

  #takeIdempotencyKey(entry: Entry, args: Record<string, unknown>): string | undefined {
    const { idempotency_key } = args
    delete args.idempotency_key
    if (entry.operation.kind === 'read' || (entry.operation.idempotent && !this.#request.cause))
      return undefined
    this.#idempotencyKey ??= (idempotency_key as string | undefined) ?? this.#request.idempotencyKey // a write that turns out to wait asks twice
    return this.#idempotencyKey
  }

  async #replay(
    entry: Entry,
    key: string,
    args: Record<string, unknown>,
  ): Promise<Answer | undefined> {
    const first = await firstAnswer(
      this.#app.store.write,
      this.#now,
      this.#madeWith(entry, key, args),
    )
    if (!first) return undefined
    this.#record('ok', null, undefined, 0)
    return { value: first.value, callId: first.call_id, replayed: true }
  }

  #madeWith(entry: Entry, key: string, args: Record<string, unknown>): MadeWith {
    return {
      actor_id: this.#actor.id,
      key_id: this.#actor.key?.id ?? '',
      tool: entry.operation.name,
      idempotency_key: key,
      arguments_hash: argumentsHash(args),
    }
  }

  /** Enters the call into the log, inside the job of the writer that does its work. */
  #record(
    status: CallEntry['status'],
    error: Refusal | null,
    value: unknown,
    changed: 0 | 1,
    kind?: Kind,
  ): void {
    this.#app.callLog.append(this.#callEntry(status, error, value, changed, kind))
    if (status === 'ok' && this.#letIn?.metered)
      this.#app.limits.plans.count(this.#letIn.metered, this.#actor)
  }

  /** The same for a call that writes nothing else. Where the database cannot take it, the spill keeps it, or the call fails. */
  async #recordAlone(
    status: CallEntry['status'],
    error: Refusal | null,
    value: unknown,
  ): Promise<void> {
    const { store, callLog } = this.#app
    await store.writer
      .append(() => this.#record(status, error, value, 0))
      .catch((failure: unknown) =>
        callLog.spilled(this.#callEntry(status, error, value, 0), failure),
      )
  }

  #callEntry(
    status: CallEntry['status'],
    error: Refusal | null,
    value: unknown,
    changed: 0 | 1,
    kind: Kind = 'read',
  ): CallEntry {
    const { transport, requestId, route, ip, client, tool, args } = this.#request
    const operation = this.#entry?.operation
    return {
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
      details: {
        route,
        arguments: redactArguments(this.#entry?.schemas.input.shape ?? {}, args),
        ip,
        client,
        session: this.#actor.session,
      },
    }
  }

  /** A refused or failed call is in the log before its answer leaves; where the log cannot be written, that is the answer. */
  async failed(refusal: Refusal): Promise<Refusal> {
    const status =
      refusal.code === 'permission_denied' || refusal.code === 'unauthenticated'
        ? 'denied'
        : 'error'
    this.#entry ??= this.#app.catalogue.find(this.#request.tool)
    this.#app.limits.unknown(
      this.#actor,
      this.#request.transport,
      unknownOf(refusal, this.#request.args),
    )
    try {
      await this.#recordAlone(status, refusal, undefined)
    } catch (error) {
      return asRefusal(this.#app.log, error, this.#request)
    }
    refusal.callId = this.#callId
    this.meter(refusal.code)
    return refusal
  }

  /** Lets those know who watch: by names of ours, for there may be no such operation as was asked for. */
  meter(code: string): void {
    const { meter, tracer, log, clock } = this.#app
    if (!meter && !tracer && !log.debug) return
    const { transport, requestId, trace, route } = this.#request
    const operation = this.#entry?.operation.name ?? (transport === 'mcp' ? route : 'unknown')
    const seconds = (clock.monotonic() - this.#started) / 1000
    meter?.called(operation, transport, code, seconds)
    tracer?.called({
      operation,
      transport,
      code,
      seconds,
      trace,
      callId: this.#callId,
      requestId,
      at: this.#now,
    })
    log.debug?.('call', {
      call_id: this.#callId,
      request_id: requestId,
      trace_id: trace?.traceId,
      operation,
      transport,
      code,
      ms: Math.round(seconds * 1e5) / 100,
    })
  }

  async #runLater(): Promise<void> {
    for (const work of this.#later) {
      await work().catch((error) =>
        this.#app.log.error('work after a commit failed', {
          call: this.#callId,
          error: describe(error),
        }),
      )
    }
  }
}

/** Work that goes on after its call cannot wait: what it touches became visible outside in the meantime. */
function visibleSince(actor: Actor): Refusal {
  const by = actor.key ? `the key "${actor.key.name}"` : 'an automation triggered from outside'
  return new Refusal(
    'approval_required',
    `This changes what outsiders can see; for ${by} that needs ${actor.display_name}'s approval.`,
    'Call it again: the new call waits for approval.',
  )
}

function checkAnswer(entry: Entry, value: unknown): void {
  const parsed = entry.schemas.output.safeParse(value)
  if (!parsed.success)
    throw new Error(`${entry.operation.name} answered against its schema: ${parsed.error.message}`)
}

/** What is shown once is not kept for a second time. */
function withoutSecrets({ operation: { once } }: Entry, value: unknown): unknown {
  return once
    ? Object.fromEntries(Object.entries(value as object).filter(([name]) => !once.includes(name)))
    : value
}

function countOf(value: unknown): number | null {
  const items = (value as { items?: unknown } | null | undefined)?.items
  return Array.isArray(items) ? items.length : null
}

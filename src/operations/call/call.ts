import { newCallId } from '../../audit/record.ts'
import type { AdmittedCall } from '../../limits/limits.ts'
import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../app.ts'
import type { Entry } from '../entry.ts'
import type { Id } from '../../kernel/ids.ts'
import { Notices } from '../../notify/notices.ts'
import type { Progress } from './progress.ts'
import { Rows } from '../../records/rows.ts'
import { accessScope, type AccessScope } from '../../records/access-scope.ts'
import type { Answer, CallRequest } from './request.ts'

export type Arguments = Record<string, unknown>

/** A call in the pipeline: the request, and the results of the steps so far. */
export interface Call {
  readonly app: App
  readonly actor: Actor
  readonly request: CallRequest
  readonly id: Id<'calls'>
  /** The moment of the call, in milliseconds. */
  readonly now: number
  /** The same moment on the monotonic clock, for the duration. */
  readonly started: number
  readonly notices: Notices
  /** Items that the call named or changed, for the call log; the first 200. */
  readonly items: { type: string; id: string }[]
  /** Work to run once the write is durable. */
  afterCommit: (() => Promise<void>)[]
  /** Set by the step `findOperation`. */
  entry?: Entry
  /** Set by the step `admit`. */
  admission?: AdmittedCall
  /** Set by the step `parse`. */
  args: Arguments
  dryRun: boolean
  idempotencyKey?: string
  /** Result of the operation's prepare or fetch step. */
  prefetched?: unknown
  progress?: Progress
  /** The answer before shaping by the transport: the call log and the limits count it. */
  fullValue?: unknown
  /** True if it is known to send something outside, and counted as such. */
  isOutbound: boolean
  /** True if it would change something visible outside. */
  changesOutside: boolean
}

/** One step of the pipeline; `next` runs the rest. */
export type Step = (call: Call, next: () => Promise<Answer>) => Promise<Answer>

export function newCall(app: App, actor: Actor, request: CallRequest): Call {
  const now = app.clock.now()
  return {
    app,
    actor,
    request,
    id: newCallId(now),
    now,
    started: app.clock.monotonic(),
    notices: new Notices(),
    items: [],
    afterCommit: [],
    args: {},
    dryRun: false,
    isOutbound: false,
    changesOutside: false,
  }
}

/** The operation of a call, after the step `findOperation`. */
export function operationOf({ entry, request }: Call): Entry {
  if (!entry) throw new Error(`${request.tool} was not looked up.`)
  return entry
}

/** Adds an item to the call's entry in the call log, up to 200. */
export function addLogItem({ items }: Call, item: { type: string; id: string }): void {
  if (items.length < 200 && !items.some(({ id }) => id === item.id)) items.push(item)
}

/** Access scope of the caller over a connection: the read connection, or the write connection in progress. */
export function scopeOf({ app, actor, now }: Call, all: AccessScope['all']): AccessScope {
  return accessScope({ all, actor, now, baseUrl: app.baseUrl })
}

export function writableRows(call: Call, scope: AccessScope): Rows {
  return new Rows(scope, call.app.search, {
    watchesOutside: isHeld(call),
    isExternal: call.request.cause?.isExternal === true,
  })
}

/** True if the call needs approval to change anything that is visible outside. */
function isHeld({ app, actor, request: { cause, released } }: Call): boolean {
  if (released) return false
  return (
    cause?.held === true || actor.key?.hold_outbound === true || app.limits.isHeldFromSending(actor)
  )
}

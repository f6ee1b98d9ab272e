import type { Actor } from '../../kernel/actor.ts'
import type { App } from '../app.ts'
import type { ReadContext, WriteContext } from '../context.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { admit, findOperation, parse, withinLimits } from './admission.ts'
import { holdForApproval, readingScope } from './approval.ts'
import { newCall, operationOf, writableRows, scopeOf, type Call, type Step } from './call.ts'
import { contextIn } from './invoke.ts'
import { measure, record, recordAlone, recordFailure, logCallOutcome } from './log.ts'
import { runReadCall } from './read.ts'
import type { Answer, CallRequest } from './request.ts'
import { flush, runAfterCommit, runWrite } from './write.ts'

export { readScreen } from './screen.ts'
export type { Answer, CallRequest } from './request.ts'

/** Steps of every call, in this order; each runs the following ones. */
const steps: readonly Step[] = [
  logCallOutcome,
  findOperation,
  admit,
  parse,
  holdForApproval,
  execute,
]

/**
 * The one pipeline for all callers. The answer is sent after everything it reports is durable, including the entry in
 * the call log.
 * @throws Refusal, and nothing else: unexpected errors are logged and shown as `internal` with a reference
 */
export function call(app: App, actor: Actor, request: CallRequest): Promise<Answer> {
  return runStep(newCall(app, actor, request), 0)
}

function runStep(call: Call, index: number): Promise<Answer> {
  const step = steps[index]
  if (!step) throw new Error('The pipeline ended without an answer.')
  return step(call, () => runStep(call, index + 1))
}

/** The last step: runs the operation. */
function execute(call: Call): Promise<Answer> {
  return operationOf(call).operation.kind === 'read' ? runReadCall(call) : runWrite(call)
}

/** Logs a call that was refused before its arguments could be read. Returns the refusal, for throwing. */
export async function recordEarlyRefusal(
  app: App,
  actor: Actor,
  request: CallRequest,
  error: unknown,
): Promise<Refusal> {
  return recordFailure(newCall(app, actor, request), error)
}

/** Logs access outside of operations, such as the list of tools. */
export function recordAccess(app: App, actor: Actor, request: CallRequest): Promise<void> {
  return recordAlone(newCall(app, actor, request), { status: 'ok' })
}

/**
 * Reads on behalf of a person outside of operations: with the context of a call, and an entry in the call log under
 * the request's name, even if it is refused.
 * @throws Refusal, and nothing else
 */
export async function readAsUser<T>(
  app: App,
  actor: Actor,
  request: CallRequest,
  work: (ctx: ReadContext) => Promise<T>,
): Promise<T> {
  const call = newCall(app, actor, request)
  try {
    const value = await withinLimits(call, { name: request.tool, kind: 'read' }, async () => {
      const result = await work(contextIn(call, { scope: readingScope(call) }))
      await recordAlone(call, { status: 'ok', value: result })
      return result
    })
    measure(call, 'ok')
    return value
  } catch (error) {
    throw await recordFailure(call, error)
  }
}

/**
 * Continues reading for a stream that a call opened, with the current rights of key and person and without its own
 * log entry.
 */
export function readWithoutLogging<T>(
  app: App,
  actor: Actor,
  request: CallRequest,
  work: (ctx: ReadContext) => Promise<T>,
): Promise<T> {
  const call = newCall(app, actor, request)
  return work(contextIn(call, { scope: readingScope(call) }))
}

/** Result of an action: its value, and the work to run once the write is durable. */
export interface ActionResult<T> {
  value: T
  /** True if the call log has an entry for it: not if nothing changed. */
  isLogged: boolean
  runDeferred: () => Promise<void>
}

/**
 * Runs system work as a user, inside the current write job: with the context, the changes and the log entry of a
 * call, but without an operation. Rolled back as a whole if it throws.
 */
export async function actAsUser<T>(
  app: App,
  actor: Actor,
  request: CallRequest,
  work: (ctx: WriteContext) => Promise<T>,
): Promise<ActionResult<T>> {
  const call = newCall(app, actor, request)
  const { writer, write } = app.store
  const scope = scopeOf(call, write)
  const rows = writableRows(call, scope)
  return writer.attempt(async () => {
    const value = await work(contextIn(call, { scope, rows }))
    if (rows.changesOutside) throw approvalMissedRefusal(actor)
    const isLogged = (await flush(call, scope, rows)) > 0
    if (isLogged) await record(call, { status: 'ok', changed: 1, kind: 'write' })
    return { value, isLogged, runDeferred: () => runAfterCommit(call) }
  })
}

/** The refusal for work that runs after its call and so cannot wait: its items became visible outside meanwhile. */
function approvalMissedRefusal(actor: Actor): Refusal {
  const by = actor.key ? `the key "${actor.key.name}"` : 'an automation triggered from outside'
  return new Refusal(
    'approval_required',
    `This changes what outsiders can see; for ${by} that needs ${actor.display_name}'s approval.`,
    'Call it again: the new call waits for approval.',
  )
}

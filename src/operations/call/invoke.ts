import { checkRevision, parseArguments, pickFields, withOneLineNames } from '../arguments.ts'
import { OutboundDetected } from '../approvals/approvals.ts'
import type { Entry } from '../entry.ts'
import type { ReadContext, WriteContext } from '../context.ts'
import { contextOf } from './contexts.ts'
import { resolveOperationRows } from './named-rows.ts'
import type { Handlers } from '../operation.ts'
import { Progress } from './progress.ts'
import type { Rows } from '../../records/rows.ts'
import type { AccessScope } from '../../records/access-scope.ts'
import { refusalFor } from './admission.ts'
import { operationOf, scopeOf, addLogItem, type Arguments, type Call } from './call.ts'
import { needsApproval } from './outbound.ts'

interface Frame {
  scope: AccessScope
  /** Rows to write; undefined for a read. */
  rows?: Rows | undefined
  /** Called by another operation of the same call. */
  isNested?: boolean
}

/** Runs the operation of a call. */
export function invoke(call: Call, frame: Frame, args: Arguments = call.args): Promise<unknown> {
  return runHandler(call, operationOf(call), args, frame)
}

/**
 * Resolves the rows that the arguments name, runs the handler, and checks the answer against its schema if requested.
 */
async function runHandler(
  call: Call,
  entry: Entry,
  args: Arguments,
  frame: Frame,
): Promise<unknown> {
  const { isNested = false } = frame
  const ctx = contextIn(call, frame, {
    progress: progressReporterOf(call, entry, isNested),
    prefetched: isNested ? undefined : call.prefetched,
  })
  const handlerArgs = { ...args } // resolving removes ids; the call log and replays need the arguments as sent
  const rowsByName = await resolveRows(call, entry, handlerArgs, ctx)
  checkRevision(entry, args, rowsByName)
  const operation: Handlers = entry.operation
  const value = await operation.handle({ ...handlerArgs, ...rowsByName }, ctx)
  if (call.app.settings.check_answers) checkAnswer(entry, value)
  return entry.schemas.itemFields ? pickFields(value, args.fields as string[] | undefined) : value
}

function checkAnswer(entry: Entry, value: unknown): void {
  const parsed = entry.schemas.output.safeParse(value)
  if (!parsed.success)
    throw new Error(
      `${entry.operation.name} returned an answer that violates its schema: ${parsed.error.message}`,
    )
}

/** Removes ids from the arguments and returns the rows that they name, as visible to the caller. */
export function resolveRows(
  call: Call,
  entry: Entry,
  args: Arguments,
  ctx: WriteContext,
): Promise<Arguments> {
  return resolveOperationRows(entry, args, ctx, (item) => addLogItem(call, item))
}

/** A read context of the call, for use before the operation runs. */
export function readingContext(call: Call): WriteContext {
  return contextIn(call, { scope: scopeOf(call, call.app.store.read) })
}

export function contextIn(
  call: Call,
  { scope, rows }: Frame,
  more: { progress?: ReadContext['progress']; prefetched?: unknown } = {},
): WriteContext {
  const { app, actor, now, dryRun, notices, request } = call
  return contextOf(
    {
      app,
      actor,
      now,
      callId: call.id,
      dryRun,
      signal: request.signal,
      notices,
      refusalFor: (entry) => refusalFor(call, entry),
      nested: (name, args, nestedScope, nestedRows) =>
        runNested(call, name, args, { scope: nestedScope, rows: nestedRows, isNested: true }),
      afterCommit: (work) => void call.afterCommit.push(work),
    },
    scope,
    rows,
    more.progress,
    more.prefetched,
  )
}

/** Runs another operation inside a call, as the same actor. */
async function runNested(
  call: Call,
  name: string,
  args: Arguments,
  frame: Frame,
): Promise<unknown> {
  const entry = call.app.catalogue.requireEntry(name)
  const refusal = refusalFor(call, entry)
  if (refusal) throw refusal
  if (entry.operation.kind !== 'read' && !frame.rows)
    throw new Error(`A read may not call ${name}, which writes.`)
  const parsed = parseArguments(entry, withOneLineNames(entry, args))
  if (needsApproval(call, entry, parsed)) throw new OutboundDetected(name)
  return runHandler(call, entry, parsed, frame)
}

/** Progress reporter of an operation. A nested one reports nothing: only the outer one knows the total. */
function progressReporterOf(
  call: Call,
  { operation: { name, reportsProgress: reports } }: Entry,
  isNested: boolean,
): ReadContext['progress'] {
  const { app, request } = call
  if (!reports && app.settings.check_answers)
    return () => {
      throw new Error(
        `${name} reports progress and does not say so: its definition needs reportsProgress: true.`,
      )
    }
  if (!reports || isNested || !request.progress) return () => {}
  const progress = (call.progress ??= new Progress(request.progress, app.clock))
  return (done, total, message) => progress.report(done, total, message)
}

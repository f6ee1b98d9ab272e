import type { CallEntry } from '../../audit/entry.ts'
import { redactArguments } from '../../audit/redact.ts'
import { toRefusal } from '../../db/failures.ts'
import type { Kind } from '../any-operation.ts'
import type { Refusal } from '../../kernel/refusal.ts'
import { explainMissingAdminRights } from '../../kernel/administrators.ts'
import { unknownIdsOfRefusal } from './unknown-ids.ts'
import type { Call, Step } from './call.ts'

interface Outcome {
  status: CallEntry['status']
  error?: Refusal
  /** The answer, for counting its items. */
  value?: unknown
  changed?: 0 | 1
  /** Kind of a call that is not an operation; default: read. */
  kind?: Kind
}

/** Logs and measures the outcome of the call. A failed call is in the log before its answer is sent. */
export const logCallOutcome: Step = async (call, next) => {
  try {
    const answer = await next()
    measure(call, 'ok')
    return answer
  } catch (error) {
    throw await recordFailure(call, error)
  }
}

/** Adds a call to the log, inside the write that does its work. */
export async function record(call: Call, outcome: Outcome): Promise<void> {
  const { app, actor, admission } = call
  await app.callLog.append(logEntry(call, outcome))
  if (outcome.status === 'ok' && admission?.metered)
    await app.limits.plans.count(admission.metered, actor)
}

/** Logs a call that writes nothing else. If the database fails, the entry is spilled to a file, or the call fails. */
export async function recordAlone(call: Call, outcome: Outcome): Promise<void> {
  const { store, callLog } = call.app
  await store.writer
    .append(() => record(call, outcome))
    .catch((failure: unknown) => callLog.spillEntry(logEntry(call, outcome), failure))
}

/**
 * Logs a refused or failed call. Returns the error for the caller, or a different one if the log cannot be written.
 */
export async function recordFailure(call: Call, cause: unknown): Promise<Refusal> {
  const { app, actor, request } = call
  const refusal = explainMissingAdminRights(actor, toRefusal(app.log, cause, request))
  const isDenied = refusal.code === 'permission_denied' || refusal.code === 'unauthenticated'
  const entry = call.entry ?? app.catalogue.find(request.tool)
  if (entry) call.entry = entry
  app.limits.recordUnknownIds(actor, request.transport, unknownIdsOfRefusal(refusal, request.args))
  try {
    await recordAlone(call, { status: isDenied ? 'denied' : 'error', error: refusal })
  } catch (error) {
    return toRefusal(app.log, error, request)
  }
  refusal.callId = call.id
  measure(call, refusal.code)
  return refusal
}

function logEntry(call: Call, { status, error, value, changed = 0, kind }: Outcome): CallEntry {
  const { app, actor, request, entry } = call
  const { transport, requestId, route, ip, client, tool, args, argumentShape } = request
  const operation = entry?.operation
  return {
    id: call.id,
    org_id: actor.org_id,
    at: call.now,
    request_id: requestId,
    actor_id: actor.id,
    key_id: actor.key?.id ?? null,
    transport,
    tool: operation?.name ?? tool.slice(0, 80),
    kind: operation?.kind ?? kind ?? 'read',
    status,
    error_code: error?.code ?? null,
    result_count: itemCount(value),
    changed,
    duration_us: Math.round((app.clock.monotonic() - call.started) * 1000),
    idempotency_key: call.idempotencyKey ?? null,
    items: call.items,
    details: {
      route,
      arguments: redactArguments(entry?.schemas.input.shape ?? argumentShape ?? {}, args),
      ip,
      client,
      session: actor.session,
    },
  }
}

function itemCount(value: unknown): number | null {
  const items = (value as { items?: unknown } | null | undefined)?.items
  return Array.isArray(items) ? items.length : null
}

/** Reports a call to metrics, traces and the debug log. Unknown operations are counted under one name. */
export function measure(call: Call, code: string): void {
  const { meter, tracer, log, clock } = call.app
  if (!meter && !tracer && !log.debug) return
  const { transport, requestId, trace, route } = call.request
  const operation = call.entry?.operation.name ?? (transport === 'mcp' ? route : 'unknown')
  const seconds = (clock.monotonic() - call.started) / 1000
  meter?.recordCall(operation, transport, code, seconds)
  tracer?.recordCall({
    operation,
    transport,
    code,
    seconds,
    trace,
    callId: call.id,
    requestId,
    at: call.now,
  })
  log.debug?.('call', {
    call_id: call.id,
    request_id: requestId,
    trace_id: trace?.traceId,
    operation,
    transport,
    code,
    ms: Math.round(seconds * 1e5) / 100,
  })
}

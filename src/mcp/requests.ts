import { ProtocolError, ProtocolErrorCode } from '@modelcontextprotocol/server'
import type { App } from '../operations/app.ts'
import { readAsUser, recordEarlyRefusal } from '../operations/call/index.ts'
import type { CallRequest } from '../operations/call/request.ts'
import type { ReadContext } from '../operations/context.ts'
import type { Refusal } from '../kernel/refusal.ts'
import { traceIn } from '../kernel/trace.ts'
import type { Caller } from './caller.ts'
import { clientIn, type MessageInfo } from './messages.ts'

/** A method's name in the call log: `resources/list`, unless it maps to an operation. */
export function requestFor(
  { surface, requestId, ip, client, trace }: Caller,
  method: string,
  args: unknown,
  { envelope, signal }: MessageInfo,
  tool = method,
): CallRequest {
  return {
    tool,
    args,
    transport: 'mcp',
    requestId,
    route: method,
    ip,
    client: clientIn(envelope) ?? client,
    trace: traceIn(envelope?.traceparent) ?? trace,
    signal,
    refusalFor: surface.refusalFor,
  }
}

/** Runs a method's reads in the caller's name, with one call log entry. @throws ProtocolError */
export async function readInOneCall<T>(
  app: App,
  caller: Caller,
  request: CallRequest,
  work: (ctx: ReadContext) => Promise<T>,
): Promise<T> {
  try {
    return await readAsUser(app, caller.actor, request, work)
  } catch (error) {
    throw protocolError(error as Refusal)
  }
}

/** The error for a message refused before any lookup; logged in the call log too. */
export async function recordRefusal(
  app: App,
  caller: Caller,
  request: CallRequest,
  refusal: Refusal,
): Promise<ProtocolError> {
  return protocolError(await recordEarlyRefusal(app, caller.actor, request, refusal))
}

const serverErrorCodes = new Set<Refusal['code']>([
  'internal',
  'unavailable',
  'storage_full',
  'rate_limited',
])

/** A refusal as a protocol error, for methods with results that cannot express one. */
export function protocolError(refusal: Refusal): ProtocolError {
  const { context, ...body } = refusal.body()
  return new ProtocolError(
    serverErrorCodes.has(refusal.code)
      ? ProtocolErrorCode.InternalError
      : ProtocolErrorCode.InvalidParams,
    body.message,
    { ...context, ...body },
  )
}

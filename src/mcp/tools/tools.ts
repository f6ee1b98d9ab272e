import { omitNullish } from '../../kernel/present.ts'
import {
  ProtocolError,
  ProtocolErrorCode,
  type CallToolRequestParams,
  type InputRequiredResult,
} from '@modelcontextprotocol/server'
import { toRefusal } from '../../db/failures.ts'
import type { App } from '../../operations/app.ts'
import { call } from '../../operations/call/index.ts'
import type { CallRequest } from '../../operations/call/request.ts'
import { invalid, type Refusal } from '../../kernel/refusal.ts'
import { idempotencyKey as idempotencyKeySchema } from '../../operations/schemas.ts'
import { traceIn } from '../../kernel/trace.ts'
import { resolveCall } from './call-tool.ts'
import type { Caller } from '../caller.ts'
import type { MessageContext } from '../message-context.ts'
import { clientIn, type ToolMessage } from '../messages.ts'
import { removeInvisible } from '../../kernel/text/invisible.ts'
import { approvalInRequest, approvalPage, askForDecision, declaresPages } from './held-calls.ts'
import { leanAnswer } from './lean.ts'
import { callToolName } from '../surface/presets.ts'
import { formOf, resultOf, ScopeRefusal, type CallOutcome } from './results.ts'
import { taskStartedBy } from '../tasks/methods.ts'

/**
 * Answers tools/call; uses the outcome if the call has already been made.
 * @throws ProtocolError for a tool that does not exist, or a state of an earlier round that was not issued here
 */
export async function callTool(
  app: App,
  { caller, outcome: runningOutcome, opensPages }: MessageContext,
  params: CallToolRequestParams,
  message: ToolMessage,
): Promise<ReturnType<typeof resultOf> | InputRequiredResult> {
  const { name } = params
  if (app.catalogue.find(name)?.operation.unlisted) throw unknownTool(app, name)
  const { context } = message
  const approval = await approvalInRequest(app, context)
  const outcome = await (approval === undefined && runningOutcome !== undefined
    ? runningOutcome
    : toolCallOutcome(app, caller, params, { ...message, approval }))
  if (!isTool(app, caller, name)) throw unknownTool(app, name)
  const page = approval === undefined ? approvalPage(outcome) : undefined
  if (page && context && (opensPages ?? declaresPages(message.envelope)))
    return askForDecision(app, page, context)
  try {
    return resultOf(outcome, formOf(caller))
  } catch (error) {
    const request = { requestId: caller.requestId, tool: name }
    return resultOf(toRefusal(app.log, error, request), formOf(caller))
  }
}

/** Whether a connection has a tool of that name, listed or not. */
export function isTool(app: App, { surface }: Caller, name: string): boolean {
  if (name === callToolName) return surface.hasCallTool
  const entry = app.catalogue.find(name)
  return entry !== undefined && !entry.operation.unlisted
}

/** Makes a call and returns its outcome; never throws. */
export async function toolCallOutcome(
  app: App,
  caller: Caller,
  params: CallToolRequestParams,
  message: ToolMessage & Pick<CallRequest, 'approval'>,
): Promise<CallOutcome> {
  try {
    const outerRequest = {
      ...toolCallRequest(caller, params, message),
      maxBytes: app.settings.mcp_answer_limit || undefined,
      shape: leanShapeFor(caller.actor),
      progress: progressForwarder(params, message),
      approval: message.approval,
    }
    const request =
      params.name === callToolName && caller.surface.hasCallTool
        ? await resolveCall(app, caller.actor, caller.surface, outerRequest)
        : outerRequest
    const answer = await call(app, caller.actor, request)
    return (await taskStartedBy(app, caller, { tool: request.tool, ...message }, answer)) ?? answer
  } catch (error) {
    const request = { requestId: caller.requestId, tool: params.name, args: params.arguments }
    return withScopeChallenge(app, caller, params, toRefusal(app.log, error, request))
  }
}

/** Adds a scope challenge to the refusal of a change, if the person may be asked. */
function withScopeChallenge(
  { catalogue }: App,
  { scopeChallenge }: Caller,
  { name, arguments: args }: CallToolRequestParams,
  refusal: Refusal,
): Refusal {
  if (scopeChallenge === undefined || refusal.code !== 'permission_denied') return refusal
  const called = name === callToolName ? args?.tool_name : name
  const kind = typeof called === 'string' ? catalogue.find(called)?.operation.kind : undefined
  return kind === undefined || kind === 'read' ? refusal : new ScopeRefusal(refusal, scopeChallenge)
}

function leanShapeFor(self: Caller['actor']): NonNullable<CallRequest['shape']> {
  return (entry, args, value) => leanAnswer(entry, args, value, self)
}

function toolCallRequest(
  { surface, requestId, ip, client, trace }: Caller,
  { name, arguments: args, _meta }: CallToolRequestParams,
  { envelope, signal }: ToolMessage,
): CallRequest {
  const idempotencyKey = idempotencyKeyIn(_meta)
  const refusalFor = surface.refusalFor
  return {
    tool: name,
    args,
    transport: 'mcp',
    requestId,
    route: 'tools/call',
    ip,
    client: clientIn(envelope) ?? client,
    trace: traceIn(_meta?.traceparent) ?? trace,
    idempotencyKey,
    signal,
    refusalFor,
  }
}

/** Whether a call requests progress and would receive it: then the SDK has to send the notices. */
export function deliversProgress(
  app: App,
  { name, arguments: args, _meta }: CallToolRequestParams,
): boolean {
  if (_meta?.progressToken === undefined) return false
  const tool = name === callToolName ? args?.tool_name : name
  return typeof tool === 'string' && app.catalogue.find(tool)?.operation.reportsProgress === true
}

/** Forwards a call's progress. Notices that can no longer be sent are dropped: the client has gone. */
function progressForwarder(
  { _meta }: CallToolRequestParams,
  { notify }: ToolMessage,
): CallRequest['progress'] {
  const progressToken = _meta?.progressToken
  if (progressToken === undefined || !notify) return undefined
  return ({ message, ...notice }) => {
    const params = omitNullish({
      progressToken,
      ...notice,
      message: message === undefined ? undefined : removeInvisible(message),
    })
    notify({ method: 'notifications/progress', params }).catch(() => {})
  }
}

function unknownTool({ catalogue }: App, name: string): ProtocolError {
  return new ProtocolError(
    ProtocolErrorCode.InvalidParams,
    catalogue.unknownTool(removeInvisible(name.slice(0, 80))).body().message,
  )
}

function idempotencyKeyIn(meta: Record<string, unknown> | undefined): string | undefined {
  const key = meta?.idempotencyKey
  if (key === undefined) return undefined
  const parsed = idempotencyKeySchema().safeParse(key)
  if (parsed.success) return parsed.data
  throw invalid('_meta.idempotencyKey', 'must be 1 to 255 printable ASCII characters.')
}

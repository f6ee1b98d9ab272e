import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer } from '../core/call.ts'
import { Refusal } from '../core/refusal.ts'

/** How a call ends. */
export type Outcome = Answer | Refusal

/**
 * What a tool answers: the value as an object, and the same as compact JSON for clients that show a model only text. A refused
 * call is a result too, not an error of the protocol, so that the model reads it and mends the call.
 */
export function resultOf(outcome: Outcome): CallToolResult {
  const { value, more } = partsOf(outcome)
  return { content: [{ type: 'text', text: JSON.stringify(value) }], ...(isObject(value) ? { structuredContent: value } : {}), ...more }
}

/**
 * The message that the SDK makes of such a result, with the value written only once: as it stands for the object, quoted for the
 * text. `signature`: how we name ourselves in its _meta, which only the present protocol has, as it has the type of a result.
 */
export function resultMessage(outcome: Outcome, id: string | number, signature: Record<string, unknown> | undefined): string {
  const { value, more } = partsOf(outcome)
  const text = JSON.stringify(value)
  const stamp = signature && { resultType: 'complete', _meta: { ...more._meta, ...signature } }
  const object = isObject(value) ? `"structuredContent":${text},` : ''
  const rest = JSON.stringify({ ...more, ...stamp }).slice(1) // never empty; its end is the end of the result
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[{"type":"text","text":${JSON.stringify(text)}}],${object}${rest}}`
}

interface Parts {
  value: unknown
  more: { isError?: true; _meta?: Record<string, unknown> }
}

function partsOf(outcome: Outcome): Parts {
  if (outcome instanceof Refusal) return { value: refusalBody(outcome), more: { isError: true } }
  return { value: outcome.value ?? null, more: { _meta: { 'workspace/call_id': outcome.callId } } }
}

function isObject(value: unknown): value is Record<string, unknown> {
  return typeof value === 'object' && value !== null && !Array.isArray(value)
}

/** As over REST: what the context holds stands beside code and message. */
function refusalBody(refusal: Refusal): Record<string, unknown> {
  const { context, ...body } = refusal.body()
  return { ...context, ...body }
}

/** The body of an answer to a message that never reached the protocol: no valid key, a body that is no JSON and the like. */
export function rpcRefusal(refusal: Refusal, requestId: string): string {
  const data = { ...refusalBody(refusal), request_id: requestId }
  return JSON.stringify({ jsonrpc: '2.0', error: { code: rpcCode(refusal), message: refusal.body().message, data }, id: null })
}

const invalidRequest = -32600
const parseError = -32700
const internalError = -32603

function rpcCode({ code, message }: Refusal): number {
  if (code === 'internal' || code === 'unavailable') return internalError
  return message.startsWith('The body is not valid') ? parseError : invalidRequest
}

import type { CallToolResult } from '@modelcontextprotocol/server'
import { Refusal } from '../core/refusal.ts'

/** What a tool answers: the value as an object, and the same as compact JSON for clients that show a model only text. */
export function resultOf(value: unknown, callId: string): CallToolResult {
  const text = JSON.stringify(value ?? null)
  const _meta = { 'workspace/call_id': callId }
  const isObject = typeof value === 'object' && value !== null && !Array.isArray(value)
  return { content: [{ type: 'text', text }], ...(isObject ? { structuredContent: value as Record<string, unknown> } : {}), _meta }
}

/** A refused call. It is a result, not an error of the protocol, so that the model reads it and mends the call. */
export function refusedResult(refusal: Refusal): CallToolResult {
  const body = refusalBody(refusal)
  return { content: [{ type: 'text', text: JSON.stringify(body) }], structuredContent: body, isError: true }
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

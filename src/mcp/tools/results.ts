import type { CallToolResult } from '@modelcontextprotocol/server'
import type { Answer } from '../../operations/call/index.ts'
import { cutTo } from '../../operations/answer-cuts.ts'
import { Refusal } from '../../kernel/refusal.ts'
import { cleanJson } from '../../kernel/text/invisible.ts'
import type { Caller } from '../caller.ts'
import { StartedTask } from '../tasks/task.ts'
import { announce } from './cuts.ts'

/** A refusal of a right that the person may still grant: hosts that read the challenge offer to ask them. */
export class ScopeRefusal extends Refusal {
  readonly challenge: string

  constructor(refusal: Refusal, challenge: string) {
    super(refusal.code, refusal.message, refusal.more)
    this.callId = refusal.callId
    this.challenge = challenge
  }
}

/** Result of a call, or the task that continues it. */
export type CallOutcome = Answer | Refusal | StartedTask

/** Result format that a client can read. */
export interface ResultForm {
  /** It received output schemas. */
  hasOutputSchemas?: boolean | undefined
  /** Its protocol lacks structured content. */
  isTextOnly?: boolean | undefined
}

export function formOf({ surface, takesTextOnly }: Caller): ResultForm {
  return { hasOutputSchemas: surface.outputSchemas, isTextOnly: takesTextOnly }
}

/**
 * Converts an outcome to a tool result: the value as an object, and as compact JSON for clients that show a model
 * only text. A second text says if the answer was truncated. A refused call is a result too, not a protocol error, so
 * that the model reads it and corrects the call. First-generation clients that were shown output schemas validate
 * refusals against them, too, and get those as text only.
 */
export function resultOf(
  outcome: CallOutcome,
  form: ResultForm = {},
): CallToolResult | StartedTask['result'] {
  if (outcome instanceof StartedTask) return outcome.result
  const { text, notes, more } = resultPartsOf(outcome)
  const object = isStructured(text, outcome, form)
    ? { structuredContent: JSON.parse(text) as Record<string, unknown> }
    : {}
  return {
    content: [text, ...notes].map((note) => ({ type: 'text', text: note })),
    ...object,
    ...more,
  }
}

/**
 * The SDK's message for such a result, with the value serialized only once: plain for the object, quoted for the
 * text. `signature`: our name in its _meta, which, like the type of a result, exists only in the current protocol.
 */
export function resultMessage(
  outcome: CallOutcome,
  id: string | number,
  signature: Record<string, unknown> | undefined,
  form: ResultForm = {},
): string {
  if (outcome instanceof StartedTask) return taskMessage(outcome, id, signature)
  const { text, notes, more } = resultPartsOf(outcome)
  const content = [text, ...notes]
    .map((note) => `{"type":"text","text":${JSON.stringify(note)}}`)
    .join()
  const stamp = signature && { resultType: 'complete', _meta: { ...more._meta, ...signature } }
  const object = isStructured(text, outcome, form) ? `"structuredContent":${text},` : ''
  const rest = JSON.stringify({ ...more, ...stamp }).slice(1) // never empty; its end is the end of the result
  return `{"jsonrpc":"2.0","id":${JSON.stringify(id)},"result":{"content":[${content}],${object}${rest}}`
}

function taskMessage(
  { result }: StartedTask,
  id: string | number,
  signature: Record<string, unknown> | undefined,
): string {
  const _meta = { ...result._meta, ...signature }
  return JSON.stringify({ jsonrpc: '2.0', id, result: { ...result, _meta } })
}

/** Parts of a result: the value as text, additional text, and the rest. */
interface ResultParts {
  text: string
  notes: string[]
  more: { isError?: true; _meta?: Record<string, unknown> }
}

/** Bytes of a refusal; only selection aids (candidates and the like) can be this long. */
const maxRefusalBytes = 16_384

function resultPartsOf(outcome: Answer | Refusal): ResultParts {
  if (outcome instanceof Refusal)
    return {
      text: cleanJson(JSON.stringify(cutTo(refusalBody(outcome), maxRefusalBytes).value)),
      notes: [],
      more: {
        isError: true,
        ...(outcome instanceof ScopeRefusal
          ? { _meta: { 'mcp/www_authenticate': [outcome.challenge] } }
          : {}),
      },
    }
  const { value, text, cut, callId } = outcome
  const announcement = cut && announce(cut)
  const _meta = {
    'workspace/call_id': callId,
    ...(announcement ? { 'workspace/cut': announcement.meta } : {}),
  }
  return {
    text: cleanJson(text ?? JSON.stringify(value ?? null)),
    notes: announcement ? [announcement.text] : [],
    more: { _meta },
  }
}

/** Structured content must be an object. */
function isStructured(
  text: string,
  outcome: Answer | Refusal,
  { hasOutputSchemas, isTextOnly }: ResultForm,
): boolean {
  return !isTextOnly && text.startsWith('{') && !(hasOutputSchemas && outcome instanceof Refusal)
}

/** Same form as over REST: the entries of the context stand beside code and message. */
function refusalBody(refusal: Refusal): Record<string, unknown> {
  const { context, ...body } = refusal.body()
  return { ...context, ...body }
}

/**
 * The body of an answer to a message that never reached the protocol handler: no valid key, invalid JSON, too many
 * requests and the like. `id`: of the message, if it could be read.
 */
export function rpcRefusal(
  refusal: Refusal,
  requestId: string,
  id: string | number | undefined,
): string {
  const data = { ...refusalBody(refusal), request_id: requestId }
  return cleanJson(
    JSON.stringify({
      jsonrpc: '2.0',
      error: { code: rpcCode(refusal), message: refusal.body().message, data },
      id: id ?? null,
    }),
  )
}

const invalidRequest = -32600
const parseError = -32700
const internalError = -32603

function rpcCode({ code, message }: Refusal): number {
  if (code === 'internal' || code === 'unavailable') return internalError
  return message.startsWith('The body is not valid') ? parseError : invalidRequest
}

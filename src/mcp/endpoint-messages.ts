import { Refusal } from '../kernel/refusal.ts'
import type { Caller } from './caller.ts'
import type { Session } from './sessions/session.ts'
import type { ListAnswer } from './surface/lists.ts'

/** A received message with its parsed body. */
export interface McpMessage {
  request: Request
  body: unknown
  /** Sender of the message; its surface follows from the address and the headers. */
  from: Omit<Caller, 'surface'>
  /** Whether the answer may be compressed. */
  gzip: boolean
}

/** An answer to tools/call: a message, or an event stream with it. */
interface CallAnswer {
  text: string
  isStream: boolean
}

/** A message with its connection's rights and its session. */
export interface RequestMessage extends McpMessage {
  caller: Caller
  session: Session | undefined
}

/** Answer to a message: from the SDK, or built before the SDK is involved. */
export type McpAnswer = Response | ListAnswer | CallAnswer

/** @throws Refusal invalid_argument unless it is a single message */
export function requireOneMessage(body: unknown): void {
  if (body === undefined)
    throw new Refusal('invalid_argument', 'The request has no body.', 'Send one JSON-RPC message.')
  if (Array.isArray(body))
    throw new Refusal(
      'invalid_argument',
      'Batches of messages are not accepted.',
      'Send one message per request.',
    )
}

/** Error message of the SDK up to the first colon; the rest repeats the caller's input. */
export function shortReasonOf({ message }: Error): string {
  return message.replace(/:.*/s, '').slice(0, 200)
}

/** Resolves to the promise's value, or to undefined on timeout. */
export function withinMilliseconds<T>(
  milliseconds: number,
  promise: Promise<T>,
): Promise<T | undefined> {
  return new Promise((resolve, reject) => {
    const timer = setTimeout(resolve, milliseconds, undefined)
    promise.finally(() => clearTimeout(timer)).then(resolve, reject)
  })
}

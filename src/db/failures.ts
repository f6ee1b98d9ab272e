import { randomUUID } from 'node:crypto'
import { databaseFailure, isOutcomeUnknown } from './database-errors.ts'
import type { Log } from '../kernel/log.ts'
import { Refusal } from '../kernel/refusal.ts'

/** Turns any failure of a call into a refusal. Unexpected errors are logged, and callers see only a reference. */
export function toRefusal(
  log: Pick<Log, 'error'>,
  error: unknown,
  request: { requestId: string; tool: string; args?: unknown },
): Refusal {
  if (error instanceof Refusal) return error
  const refusal = databaseRefusal(error) ?? (isAbort(error) ? cancelledRefusal() : undefined)
  if (refusal) return refusal
  const reference = randomUUID()
  log.error('a call failed unexpectedly', {
    reference,
    request_id: request.requestId,
    tool: request.tool.slice(0, 80),
    error: describeError(error, request.args),
  })
  return new Refusal('internal', `Internal error; the log has it under ${reference}.`, {
    context: { reference },
  })
}

/** Outcome of a call whose caller has disconnected; visible only in the call log. */
export function cancelledRefusal(): Refusal {
  return new Refusal('cancelled', 'The client disconnected before the answer was ready.')
}

/** True for the error of work that was aborted by a signal. */
function isAbort(error: unknown): boolean {
  return error instanceof DOMException && error.name === 'AbortError'
}

function databaseRefusal(error: unknown): Refusal | undefined {
  if (isOutcomeUnknown(error)) return outcomeUnknownRefusal()
  const failure = databaseFailure(error)
  if (failure === 'full')
    return new Refusal('storage_full', 'The disk is full; nothing was changed.', {
      retry_after_seconds: 60,
    })
  if (failure === 'unavailable')
    return new Refusal(
      'unavailable',
      'The database is temporarily unavailable; nothing was changed.',
      { retry_after_seconds: 1 },
    )
  return undefined
}

function outcomeUnknownRefusal(): Refusal {
  return new Refusal(
    'unavailable',
    'The connection to the database broke before it confirmed this call: a write may have happened or not.',
    {
      hint: 'Repeat it with the same idempotency_key, and nothing is done twice; without one, check first.',
      retry_after_seconds: 1,
    },
  )
}

/**
 * An unexpected error as text for the log: up to 300 characters of its message, and its stack. A message that repeats the
 * caller's input is omitted.
 */
export function describeError(error: unknown, args?: unknown): string {
  if (!(error instanceof Error)) return loggableMessage(String(error), args)
  const { message, stack = '', code } = error as NodeJS.ErrnoException
  const at = stack.indexOf('\n    at ', Math.max(0, stack.indexOf(message)) + message.length)
  return `${error.name}: ${loggableMessage(message, args)}${typeof code === 'string' ? ` (${code.slice(0, 80)})` : ''}${at < 0 ? '' : stack.slice(at)}`
}

const maxLoggedMessageLength = 300

function loggableMessage(message: string, args: unknown): string {
  if (repeatsInput(message.slice(0, 10_000), args, 0)) return '[left out: it repeats an argument]'
  return message.length > maxLoggedMessageLength
    ? `${message.slice(0, maxLoggedMessageLength)}…`
    : message
}

const fragmentLength = 8

/** Whether a message contains a short argument or a piece of a longer one. */
function repeatsInput(message: string, value: unknown, depth: number): boolean {
  if (typeof value === 'object' && value !== null)
    return (
      depth > 8 ||
      Object.values(value)
        .slice(0, 1000)
        .some((item) => repeatsInput(message, item, depth + 1))
    )
  if (typeof value !== 'string' || value.length < 4) return false
  if (value.length <= fragmentLength) return message.includes(value)
  // Searches the argument for each piece of the message; any common part of twice that length contains such a piece.
  for (
    let at = 0;
    at + fragmentLength <= Math.min(message.length, maxLoggedMessageLength);
    at += fragmentLength
  )
    if (value.includes(message.slice(at, at + fragmentLength))) return true
  return false
}

import { Refusal } from '../../kernel/refusal.ts'
import { reconnectDelay } from './open-stream.ts'

/** The refusal of a stream with events that are no longer stored. */
export function eventsExpired(): Refusal {
  return new Refusal(
    'invalid_argument',
    'Later events are no longer stored, so the stream cannot be resumed.',
    'Send the request again, or open the stream without Last-Event-ID.',
  )
}

/**
 * Retry time for reconnecting. Clients of earlier versions treat an event without a message as broken, but ignore a
 * comment.
 */
export function retryEventsFor({ headers }: Request): {
  firstMessage: string
  lastMessage: string
} {
  const retry = `retry: ${reconnectDelay}\n\n`
  return (headers.get('mcp-protocol-version') ?? '') >= '2025-11-25'
    ? { firstMessage: retry, lastMessage: retry }
    : { firstMessage: ': open\n\n', lastMessage: '' }
}

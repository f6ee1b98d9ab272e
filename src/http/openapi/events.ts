import { z } from 'zod'
import type { JsonSchema } from '../../operations/schemas.ts'
import { eventQuery } from '../routes/events.ts'

/**
 * Describes the stream of events at its address. Where a calendar lists its events at the same address, a method can
 * have only one description: the stream is then under `x-event-stream`, and among the responses.
 */
export function addEvents(path: Record<string, unknown>): void {
  const listOperation = path.get as
    | { description?: string; responses: Record<string, { content?: Record<string, unknown> }> }
    | undefined
  const stream = eventsOperation()
  if (!listOperation) {
    path.get = stream
    return
  }
  const { 200: okResponse } = listOperation.responses
  Object.assign(listOperation, {
    'x-event-stream': stream,
    description:
      `${listOperation.description ?? ''}\n\nWith \`Accept: text/event-stream\` this address is the stream of everything that happens (follow_events), described under x-event-stream.`.trim(),
  })
  listOperation.responses = {
    ...listOperation.responses,
    200: {
      ...okResponse,
      content: { ...okResponse?.content, 'text/event-stream': { schema: { type: 'string' } } },
    },
  }
}

/** The stream, which is not an operation: it has no single answer. */
function eventsOperation(): JsonSchema {
  const { properties } = z.toJSONSchema(eventQuery) as { properties: Record<string, JsonSchema> }
  const query = Object.entries(properties).map(([name, { description, ...schema }]) => ({
    name,
    in: 'query',
    required: false,
    description,
    schema,
  }))
  const lastEventId = {
    name: 'Last-Event-ID',
    in: 'header',
    required: false,
    description:
      'The id of the last event received: the stream starts after it. Browsers send it themselves.',
    schema: { type: 'string', maxLength: 200 },
  }
  return {
    operationId: 'follow_events',
    tags: ['activity'],
    summary: 'Every event visible to you, as it happens',
    description: about,
    parameters: [...query, lastEventId],
    responses: {
      200: {
        description: 'A stream that stays open.',
        content: { 'text/event-stream': { schema: { type: 'string' } } },
      },
      ...problems,
    },
    'x-stream': true,
  }
}

const about = `Server-Sent Events; ask with \`Accept: text/event-stream\`. \`event\` is the name of the event, \`id\` its position (list_changes takes it as since_cursor), and \`data\` is JSON as in webhooks: event, at, actor, via, item, changes, seq.
The first event is \`ready\`, with since_cursor; or \`reset\`, if the requested position is too old or unknown: reload what you show. \`access.gained\` and \`access.lost\` name items the key owner can now see or no longer see.`

const problems = Object.fromEntries(
  ['400', '401', '403', '404', '429', '503'].map((status) => [
    status,
    { $ref: `#/components/responses/Problem${status}` },
  ]),
)

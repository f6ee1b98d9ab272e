import { z } from 'zod'
import { readScreen } from '../../../operations/call/index.ts'
import { problemDetails } from '../../transport/problem.ts'
import { endpoint } from '../endpoint.ts'

/** Maximum operations per screen. */
const maxCalls = 20

const loggedShape = { screen: z.string(), operations: z.array(z.string()) }

export const readScreenEndpoint = endpoint({
  for: 'person',
  method: 'POST',
  path: '/web/read',
  name: 'read_screen',
  about:
    'what one screen shows: reads all of the `calls`, as one entry in the call log. Returns `results` in the same order, each with `status` and `value` or `problem`, and `since_cursor`: the events after it may not be included. Operations that change something: 400',
  input: {
    screen: z.string().min(1).max(80).describe('its name, for the call log'),
    calls: z
      .array(
        z.strictObject({
          operation: z.string().min(1).max(80),
          arguments: z.record(z.string().max(80), z.unknown()).default({}),
        }),
      )
      .min(1)
      .max(maxCalls)
      .describe('up to 20 of `operation` and `arguments`'),
  },
  output: z.strictObject({
    since_cursor: z.string(),
    results: z.array(
      z.strictObject({
        status: z.int(),
        value: z.unknown().optional(),
        problem: z.record(z.string(), z.unknown()).optional(),
      }),
    ),
  }),
  logsItself: 'always',
  async handle({ screen, calls }, { app, actor, incoming, callRequest }) {
    const args = { screen, operations: calls.map((call) => call.operation) }
    const request = { ...callRequest, args, argumentShape: loggedShape }
    const { since_cursor, results } = await readScreen(app, actor, request, calls)
    return {
      since_cursor,
      results: results.map((result) =>
        'refusal' in result
          ? {
              status: result.refusal.status,
              problem: problemDetails(result.refusal, incoming.requestId),
            }
          : { status: 200, value: result.value },
      ),
    }
  },
})

import { z } from 'zod'
import { readScreen } from '../../../operations/call/index.ts'
import { answerJson } from '../../transport/answers.ts'
import { readJson } from '../../transport/body.ts'
import { problemDetails } from '../../transport/problem.ts'
import { parseInput } from './input.ts'
import type { ScreenRequest } from './screen-page.ts'

/** Operations of one screen, at most. */
const maxCalls = 20

const input = {
  screen: z.string().min(1).max(80),
  calls: z
    .array(
      z.strictObject({
        operation: z.string().min(1).max(80),
        arguments: z.record(z.string().max(80), z.unknown()).default({}),
      }),
    )
    .min(1)
    .max(maxCalls),
}

const logged = { screen: z.string(), operations: z.array(z.string()) }

/** POST /web/read: what a screen shows, by several operations that read. */
export const readRequest: ScreenRequest<typeof input> = {
  method: 'POST',
  path: '/web/read',
  tool: 'read_screen',
  input,
  sent: readJson,
  parse: (sent) => parseInput(input, sent),
  async answer({ services: { app }, actor, incoming, request, input: { screen, calls } }) {
    const args = { screen, operations: calls.map((call) => call.operation) }
    const asLogged = { ...request, args, argumentShape: logged }
    const { since_cursor, results } = await readScreen(app, actor, asLogged, calls)
    const answers = results.map((result) =>
      'refusal' in result
        ? {
            status: result.refusal.status,
            problem: problemDetails(result.refusal, incoming.requestId),
          }
        : { status: 200, value: result.value },
    )
    const text = JSON.stringify({ since_cursor, results: answers })
    app.limits.answered(actor, text.length)
    return answerJson(incoming, 200, text)
  },
}

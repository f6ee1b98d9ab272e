// Tools that the suite calls by name to test the tasks extension.

import { setTimeout as pause } from 'node:timers/promises'
import {
  acceptedContent,
  inputRequired,
  ProtocolError,
  ProtocolErrorCode,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { supportsTasks } from '../../mcp/tasks/task.ts'
import { textResult, tool, type ToolFixture } from './fixture.ts'
import { text } from './forms.ts'
import type { TaskStore } from './task-store.ts'

const nameShape = z.object({ name: z.string() })
const confirmed = z.object({ confirm: z.boolean() })
const elicit = (message: string, requestedSchema: z.ZodObject) =>
  inputRequired.elicit({ message, requestedSchema })

export function taskTools(tasks: TaskStore): ToolFixture[] {
  return [
    tool('greet', 'Greets at once', async ({ name }) => textResult(`Hello, ${name}!`), {
      type: 'object',
      properties: { name: text },
    }),
    tool(
      'slow_compute',
      'Takes so many seconds',
      async ({ seconds, label }, context) => {
        const compute = (signal?: AbortSignal) =>
          pause(Number(seconds) * 1000, textResult(`Computed ${label}.`), signal && { signal })
        const { envelope } = context.mcpReq
        return supportsTasks(envelope as Record<string, unknown> | undefined)
          ? tasks.begin(context, ({ signal }) => compute(signal))
          : compute()
      },
      { type: 'object', properties: { seconds: { type: 'number' }, label: text } },
    ),
    tool('failing_job', 'Always a task, which goes wrong', async (_, context) =>
      tasks.begin(context, async () => ({ ...textResult('It went wrong.'), isError: true })),
    ),
    tool('protocol_error_job', 'A task that ends by an error of the protocol', async (_, context) =>
      tasks.begin(context, () =>
        Promise.reject(new ProtocolError(ProtocolErrorCode.InternalError, 'It broke.')),
      ),
    ),
    tool(
      'confirm_delete',
      'A task that asks for a confirmation',
      async ({ filename }, context) =>
        tasks.begin(context, async ({ ask }) => {
          await ask({ confirm: elicit(`Delete ${filename}?`, confirmed) })
          return textResult(`Deleted ${filename}.`)
        }),
      { type: 'object', properties: { filename: text } },
    ),
    tool('multi_input', 'A task that asks two questions at once', async (_, context) =>
      tasks.begin(context, async ({ ask }) => {
        await ask({ first: elicit('Your name?', nameShape), second: elicit('Sure?', confirmed) })
        return textResult('Both were answered.')
      }),
    ),
    tool('test_tool_with_task', 'Asks for a name, then becomes a task', async (_, context) => {
      const answer = acceptedContent(context.mcpReq.inputResponses, 'user_name', nameShape)
      return answer
        ? tasks.begin(context, async () => textResult(`Hello, ${answer.name}!`))
        : inputRequired({ inputRequests: { user_name: elicit('What is your name?', nameShape) } })
    }),
  ]
}

// Tools that the suite calls by name to see every kind of content, notification and question of a call.

import { setTimeout as pause } from 'node:timers/promises'
import {
  inputRequired,
  MissingRequiredClientCapabilityError,
  type ServerContext,
  type ServerNotifier,
} from '@modelcontextprotocol/server'
import { declaredIn, textResult, tool, type ToolFixture } from './fixture.ts'
import { allOf2020, choices, defaults, nameAndEmail, text } from './forms.ts'
import { redPixel, silence } from './media.ts'

/** Pause between two notifications, so that the suite sees them arrive one by one. */
const beat = 50

const image = { type: 'image' as const, data: redPixel, mimeType: 'image/png' }

export const contentTools: ToolFixture[] = [
  tool('test_simple_text', 'Answers with text', async () =>
    textResult('This is a simple text response for testing.'),
  ),
  tool('test_image_content', 'Answers with an image', async () => ({ content: [image] })),
  tool('test_audio_content', 'Answers with sound', async () => ({
    content: [{ type: 'audio', data: silence, mimeType: 'audio/wav' }],
  })),
  tool('test_embedded_resource', 'Answers with a resource', async () => ({
    content: [
      {
        type: 'resource',
        resource: {
          uri: 'test://embedded-resource',
          mimeType: 'text/plain',
          text: 'This is an embedded resource content.',
        },
      },
    ],
  })),
  tool('test_multiple_content_types', 'Answers with text, an image and a resource', async () => ({
    content: [
      { type: 'text', text: 'Multiple content types test:' },
      image,
      {
        type: 'resource',
        resource: {
          uri: 'test://mixed-content-resource',
          mimeType: 'application/json',
          text: '{"test":"data","value":123}',
        },
      },
    ],
  })),
  tool('test_error_handling', 'Fails', async () => ({
    ...textResult('This tool intentionally returns an error for testing'),
    isError: true,
  })),
  tool(
    'json_schema_2020_12_tool',
    'Has a schema of many keywords',
    async (args) => textResult(JSON.stringify(args)),
    allOf2020,
  ),
  tool(
    'test_x_mcp_header',
    'Has an argument that is also a header',
    async (args) => textResult(`region ${args.region}`),
    {
      type: 'object',
      properties: { region: { type: 'string', 'x-mcp-header': 'Region' } },
    },
  ),
]

export const notifyingTools: ToolFixture[] = [
  tool('test_tool_with_logging', 'Logs while it runs', async (_, { mcpReq }) => {
    for (const line of [
      'Tool execution started',
      'Tool processing data',
      'Tool execution completed',
    ]) {
      await mcpReq.log('info', line)
      await pause(beat)
    }
    return textResult('Logged three lines.')
  }),
  tool('test_logging_tool', 'Logs once', async (_, { mcpReq }) => {
    await mcpReq.log('info', 'One line')
    return textResult('Logged, where the request asked for it.')
  }),
  tool('test_tool_with_progress', 'Reports progress', async (_, { mcpReq }) => {
    const progressToken = mcpReq._meta?.progressToken
    for (const progress of [0, 50, 100]) {
      if (progressToken !== undefined)
        await mcpReq.notify({
          method: 'notifications/progress',
          params: { progressToken, progress, total: 100 },
        })
      await pause(beat)
    }
    return textResult('Done.')
  }),
  tool('test_reconnection', 'Ends its stream before it answers', async (_, { http }) => {
    http?.closeSSE?.()
    await pause(2 * beat)
    return textResult('Answered after the stream was closed.')
  }),
]

/**
 * Tools that ask the client during a call, on the stream of that call, as protocols before 2026-07-28 permit: the
 * SDK's
 * elicitInput and requestSampling would use the session's own stream, which may not be open yet.
 */
export const askingTools: ToolFixture[] = [
  tool(
    'test_sampling',
    'Asks the model of the client',
    async (args, { mcpReq }) => {
      const messages = [
        { role: 'user' as const, content: { type: 'text' as const, text: String(args.prompt) } },
      ]
      const { content } = await mcpReq.send({
        method: 'sampling/createMessage',
        params: { messages, maxTokens: 100 },
      })
      return textResult(`LLM response: ${JSON.stringify(content)}`)
    },
    { type: 'object', properties: { prompt: text }, required: ['prompt'] },
  ),
  tool(
    'test_elicitation',
    'Asks the person',
    (args, context) => elicit(String(args.message), nameAndEmail, context),
    { type: 'object', properties: { message: text }, required: ['message'] },
  ),
  tool('test_elicitation_sep1034_defaults', 'Asks with defaults', (_, context) =>
    elicit('Please look through the defaults', defaults, context),
  ),
  tool('test_elicitation_sep1330_enums', 'Asks for choices', (_, context) =>
    elicit('Please choose', choices, context),
  ),
]

async function elicit(message: string, requestedSchema: object, { mcpReq }: ServerContext) {
  const { action, content } = await mcpReq.send({
    method: 'elicitation/create',
    params: { message, requestedSchema },
  })
  return textResult(
    `Elicitation completed: action=${action}, content=${JSON.stringify(content ?? {})}`,
  )
}

/** Tools of the 2026-07-28 suite: capabilities, streams, and changing lists. */
export function statelessTools(notify: () => ServerNotifier): ToolFixture[] {
  return [
    tool('test_missing_capability', 'Needs a client with sampling', async (_, context) => {
      if (!declaredIn(context).sampling)
        throw new MissingRequiredClientCapabilityError({ requiredCapabilities: { sampling: {} } })
      return textResult('The client has sampling.')
    }),
    tool('test_streaming_elicitation', 'Asks the person by its result', async () => {
      const form = { type: 'object' as const, properties: { answer: text } }
      return inputRequired({
        inputRequests: {
          answer: inputRequired.elicit({ message: 'Go on?', requestedSchema: form }),
        },
      })
    }),
    tool('test_trigger_tool_change', 'Says that the list of tools changed', async () => {
      notify().toolsChanged()
      return textResult('Said.')
    }),
    tool('test_trigger_prompt_change', 'Says that the list of prompts changed', async () => {
      notify().promptsChanged()
      return textResult('Said.')
    }),
  ]
}

import { acceptedContent, inputRequired, type GetPromptResult } from '@modelcontextprotocol/server'
import { z } from 'zod'
import type { PromptFixture } from './fixture.ts'
import { redPixel } from './media.ts'

type Content = GetPromptResult['messages'][number]['content']

const context = z.object({ context: z.string() })

const promptOf = (...contents: Content[]): GetPromptResult => ({
  messages: contents.map((content) => ({ role: 'user', content })),
})
const text = (words: string): Content => ({ type: 'text', text: words })

export const prompts: PromptFixture[] = [
  {
    name: 'test_simple_prompt',
    description: 'Without arguments',
    get: () => promptOf(text('This is a simple prompt for testing.')),
  },
  {
    name: 'test_prompt_with_arguments',
    description: 'With two arguments',
    arguments: [
      { name: 'arg1', required: true },
      { name: 'arg2', required: true },
    ],
    get: ({ arg1, arg2 }) =>
      promptOf(text(`Prompt with arguments: arg1='${arg1}', arg2='${arg2}'`)),
  },
  {
    name: 'test_prompt_with_embedded_resource',
    description: 'With a resource',
    arguments: [{ name: 'resourceUri', required: true }],
    get: ({ resourceUri }) =>
      promptOf(
        {
          type: 'resource',
          resource: {
            uri: resourceUri!,
            mimeType: 'text/plain',
            text: 'Embedded resource content for testing.',
          },
        },
        text('Please process the embedded resource above.'),
      ),
  },
  {
    name: 'test_prompt_with_image',
    description: 'With an image',
    get: () =>
      promptOf(
        { type: 'image', data: redPixel, mimeType: 'image/png' },
        text('Please analyze the image above.'),
      ),
  },
  {
    name: 'test_input_required_result_prompt',
    description: 'Asks the person first',
    get: (_, { mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'user_context', context)
      if (answer) return promptOf(text(`In the context of ${answer.context}`))
      return inputRequired({
        inputRequests: {
          user_context: inputRequired.elicit({
            message: 'What context should the prompt use?',
            requestedSchema: context,
          }),
        },
      })
    },
  },
]

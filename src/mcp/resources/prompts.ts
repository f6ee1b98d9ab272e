import type {
  GetPromptRequestParams,
  GetPromptResult,
  ListPromptsResult,
} from '@modelcontextprotocol/server'
import type { App } from '../../operations/app.ts'
import type { Prompt, PromptArgument } from '../../operations/prompts.ts'
import { invalid, type Refusal } from '../../kernel/refusal.ts'
import { assertStorableText } from '../../kernel/text/text.ts'
import { mayUse } from './addresses.ts'
import type { Caller } from '../caller.ts'
import type { MessageInfo } from '../messages.ts'
import { removeInvisible } from '../../kernel/text/invisible.ts'
import { readInOneCall, requestFor } from '../requests.ts'

const defaultLength = 500

/** Answers prompts/list: like the list of tools it contains no personal data, so it is not logged. */
export function listPrompts(app: App, caller: Caller): ListPromptsResult {
  const presentArgument = ({ name, about, required = false }: PromptArgument) => ({
    name,
    description: about,
    required,
  })
  return {
    prompts: promptsFor(app, caller).map(({ name, title, about, arguments: args }) => ({
      name,
      title,
      description: about,
      arguments: args.map(presentArgument),
    })),
  }
}

/** Answers prompts/get. A prompt reads as the caller; the log has it as one call. */
export async function getPrompt(
  app: App,
  caller: Caller,
  params: GetPromptRequestParams,
  message: MessageInfo = {},
): Promise<GetPromptResult> {
  return readInOneCall(
    app,
    caller,
    requestFor(caller, 'prompts/get', params, message),
    async (ctx) => {
      const prompt = promptFor(app, caller, params.name)
      const texts = await prompt.messages(argumentsOf(prompt, params.arguments ?? {}), ctx)
      return {
        description: prompt.about,
        messages: texts.map((text) => ({
          role: 'user',
          content: { type: 'text', text: removeInvisible(text) },
        })),
      }
    },
  )
}

/** Prompts whose operations are all open to a connection. */
export function promptsFor(app: App, caller: Caller): Prompt[] {
  return app.catalogue.prompts.filter((prompt) =>
    prompt.needs.every((operation) => mayUse(app, caller, operation)),
  )
}

/** @throws Refusal invalid_argument if the caller has no prompt of that name */
export function promptFor(app: App, caller: Caller, name: string): Prompt {
  const offered = promptsFor(app, caller)
  const prompt = offered.find((item) => item.name === name)
  if (prompt) return prompt
  throw invalid(
    'name',
    `unknown prompt ${JSON.stringify(name.slice(0, 80))}.`,
    `Available: ${offered.map((item) => item.name).join(', ') || 'none for this key'}.`,
  )
}

/** The given arguments; blank ones count as omitted, because clients' forms send them. */
function argumentsOf(prompt: Prompt, input: Record<string, string>): Record<string, string> {
  const unknown = Object.keys(input).find(
    (name) => !prompt.arguments.some((argument) => argument.name === name),
  )
  if (unknown !== undefined) throw promptRefusal(prompt, unknown.slice(0, 80), 'unknown argument.')
  const args = Object.fromEntries(
    Object.entries(input)
      .map(([name, text]) => [name, text.trim()] as const)
      .filter(([, text]) => text !== ''),
  )
  for (const { name, required, maxLength = defaultLength } of prompt.arguments) {
    if (required && args[name] === undefined) throw promptRefusal(prompt, name, 'is required.')
    if ((args[name]?.length ?? 0) > maxLength)
      throw promptRefusal(prompt, name, `must have at most ${maxLength} characters.`)
  }
  assertStorableText(args)
  return args
}

function promptRefusal(prompt: Prompt, argument: string, message: string): Refusal {
  const names = prompt.arguments.map(
    (promptArgument) => promptArgument.name + (promptArgument.required ? '' : ' (optional)'),
  )
  return invalid(argument, message, `${prompt.name} takes ${names.join(', ') || 'no arguments'}.`)
}

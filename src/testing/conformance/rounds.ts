// Tools that request input in their result (SEP-2322): the client answers by calling again.

import { randomBytes } from 'node:crypto'
import {
  acceptedContent,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  ProtocolError,
  ProtocolErrorCode,
  type ServerContext,
} from '@modelcontextprotocol/server'
import { z } from 'zod'
import { declaredIn, textResult, tool, type ToolFixture } from './fixture.ts'

const nameShape = z.object({ name: z.string() })
const confirmed = z.object({ ok: z.boolean() })
const colored = z.object({ color: z.string() })

const askName = () =>
  inputRequired.elicit({ message: 'What is your name?', requestedSchema: nameShape })
const askModel = (question: string) =>
  inputRequired.createMessage({
    messages: [{ role: 'user', content: { type: 'text', text: question } }],
    maxTokens: 100,
  })
const confirm = () =>
  inputRequired.elicit({ message: 'Please confirm', requestedSchema: confirmed })

const states = createRequestStateCodec<string>({
  key: randomBytes(32),
  bind: ({ mcpReq, http }) => `${mcpReq.method}\0${http?.authInfo?.clientId}`,
})

/** State returned along with the answers; undefined in the first round. */
async function stateOf(context: ServerContext): Promise<string | undefined> {
  const sent = context.mcpReq.requestState<string>()
  if (sent === undefined) return undefined
  return states.verify(sent, context).catch(() => {
    throw new ProtocolError(ProtocolErrorCode.InvalidParams, 'Invalid or expired requestState')
  })
}

/** Requests a confirmation with a state, which must be returned unchanged. */
async function confirmWithState(_: unknown, context: ServerContext) {
  const state = await stateOf(context)
  if (state && acceptedContent(context.mcpReq.inputResponses, 'confirm', confirmed))
    return textResult(`${state}: confirmed`)
  return inputRequired({
    inputRequests: { confirm: confirm() },
    requestState: await states.mint('state-ok', context),
  })
}

async function askTwice(_: unknown, context: ServerContext) {
  const state = await stateOf(context)
  const answers = context.mcpReq.inputResponses
  const color = acceptedContent(answers, 'step2', colored)
  if (state?.startsWith('2 ') && color) return textResult(`${state.slice(2)} likes ${color.color}.`)
  const name = acceptedContent(answers, 'step1', nameShape)
  if (state !== '1' || !name)
    return inputRequired({
      inputRequests: { step1: askName() },
      requestState: await states.mint('1', context),
    })
  const step2 = inputRequired.elicit({
    message: 'What is your favorite color?',
    requestedSchema: colored,
  })
  return inputRequired({
    inputRequests: { step2 },
    requestState: await states.mint(`2 ${name.name}`, context),
  })
}

async function askAll(_: unknown, context: ServerContext) {
  const answers = context.mcpReq.inputResponses
  const kinds = ['user_name', 'greeting', 'client_roots'].map(
    (key) => inputResponse(answers, key).kind,
  )
  if ((await stateOf(context)) && !kinds.includes('missing'))
    return textResult(`Got ${kinds.join(', ')}.`)
  const inputRequests = {
    user_name: askName(),
    greeting: askModel('Generate a greeting'),
    client_roots: inputRequired.listRoots(),
  }
  return inputRequired({ inputRequests, requestState: await states.mint('all', context) })
}

/** Requests only input types that the client declared. */
async function askWhatIsDeclared(_: unknown, context: ServerContext) {
  const { elicitation, sampling } = declaredIn(context)
  const inputRequests = {
    ...(elicitation ? { name: askName() } : {}),
    ...(sampling ? { greeting: askModel('Generate a greeting') } : {}),
  }
  return Object.keys(inputRequests).length > 0
    ? inputRequired({ inputRequests })
    : textResult('The client can be asked nothing.')
}

export const roundTools: ToolFixture[] = [
  tool(
    'test_input_required_result_elicitation',
    'Asks the person for a name',
    async (_, { mcpReq }) => {
      const answer = acceptedContent(mcpReq.inputResponses, 'user_name', nameShape)
      return answer
        ? textResult(`Hello, ${answer.name}!`)
        : inputRequired({ inputRequests: { user_name: askName() } })
    },
  ),
  tool(
    'test_input_required_result_sampling',
    'Asks the model of the client',
    async (_, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'capital_question')
      return answer.kind === 'sampling'
        ? textResult(JSON.stringify(answer.result.content))
        : inputRequired({
            inputRequests: { capital_question: askModel('What is the capital of France?') },
          })
    },
  ),
  tool(
    'test_input_required_result_list_roots',
    'Asks for the roots of the client',
    async (_, { mcpReq }) => {
      const answer = inputResponse(mcpReq.inputResponses, 'client_roots')
      return answer.kind === 'roots'
        ? textResult(answer.roots.map((root) => root.uri).join(' '))
        : inputRequired({ inputRequests: { client_roots: inputRequired.listRoots() } })
    },
  ),
  tool('test_input_required_result_request_state', 'Asks with a state', confirmWithState),
  tool(
    'test_input_required_result_tampered_state',
    'Refuses a state that was changed',
    confirmWithState,
  ),
  tool('test_input_required_result_multiple_inputs', 'Asks for three things at once', askAll),
  tool('test_input_required_result_multi_round', 'Asks twice', askTwice),
  tool(
    'test_input_required_result_capabilities',
    'Asks for what the client can do',
    askWhatIsDeclared,
  ),
]

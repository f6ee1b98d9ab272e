// Calls that wait for their person: a client that can open pages is asked to open the page for the decision. The
// client's answer decides nothing; it only shows whether to wait for the person's decision on that page.

import {
  CLIENT_CAPABILITIES_META_KEY,
  createRequestStateCodec,
  inputRequired,
  inputResponse,
  type ClientCapabilities,
  type InputRequiredResult,
  type RequestStateCodec,
  type ServerContext,
} from '@modelcontextprotocol/server'
import type { Id } from '../../kernel/ids.ts'
import { invalid, Refusal } from '../../kernel/refusal.ts'
import type { App } from '../../operations/app.ts'
import { waitForDecision } from '../../operations/approvals/decisions.ts'
import { stateKey } from '../../operations/approvals/state-key.ts'
import { messageContextIn } from '../message-context.ts'
import type { ToolMessage } from '../messages.ts'
import { recordRefusal, requestFor } from '../requests.ts'
import type { CallOutcome } from './results.ts'

/** Name of the only question. */
const question = 'approval'
/** Seconds, longer than a call waits. */
const stateTtlSeconds = 8 * 24 * 3600
/**
 * Milliseconds that the next round of a call waits for the person's decision: proxies drop responses that take longer
 * than half a minute.
 */
const maxWaitMs = 25_000

interface WaitingState {
  approval: Id<'approvals'>
}

const codecs = new WeakMap<App, RequestStateCodec<WaitingState>>()

function codecOf(app: App): RequestStateCodec<WaitingState> {
  const cached = codecs.get(app)
  if (cached) return cached
  const codec = createRequestStateCodec<WaitingState>({
    key: stateKey(app),
    ttlSeconds: stateTtlSeconds,
    bind: (context) => messageContextIn(context).caller.actor.key?.id ?? '',
  })
  codecs.set(app, codec)
  return codec
}

/** Whether a message's client declares that it opens pages for its person. */
export function canOpenPages(capabilities: ClientCapabilities | undefined): boolean {
  return capabilities?.elicitation?.url !== undefined
}

/** The same for a message of the current protocol, from its metadata. */
export function declaresPages(envelope: ToolMessage['envelope']): boolean {
  return canOpenPages(envelope?.[CLIENT_CAPABILITIES_META_KEY] as ClientCapabilities | undefined)
}

/** Page on which the person decides about a waiting call. */
interface ApprovalPage {
  approval_id: Id<'approvals'>
  approval_url: string
}

/** The approval page of a waiting call; undefined for any other outcome. */
export function approvalPage(outcome: CallOutcome): ApprovalPage | undefined {
  if (!(outcome instanceof Refusal) || outcome.code !== 'approval_required') return undefined
  const { approval_id, approval_url } = (outcome.more.context ?? {}) as Partial<ApprovalPage>
  return approval_id === undefined || approval_url === undefined
    ? undefined
    : { approval_id, approval_url }
}

/** Asks the client to open the page for the decision. */
export async function askForDecision(
  app: App,
  { approval_id: approval, approval_url: url }: ApprovalPage,
  context: ServerContext,
): Promise<InputRequiredResult> {
  const { display_name } = messageContextIn(context).caller.actor
  const page = {
    message: `This call waits for approval. The page shows what it would do; ${display_name} decides there, signed in to Workspace.`,
    url,
    ...(context.mcpReq.envelope ? {} : { elicitationId: approval }),
  }
  return inputRequired({
    inputRequests: { [question]: inputRequired.elicitUrl(page) },
    requestState: await codecOf(app).mint({ approval }, context),
  })
}

/**
 * The approval referenced by a call's next round, once decided or waited for long enough; undefined in a first round.
 * @throws ProtocolError for a state that was not issued here, or for another key, or has expired
 */
export async function approvalInRequest(
  app: App,
  context: ServerContext | undefined,
): Promise<Id<'approvals'> | undefined> {
  const state = context?.mcpReq.requestState<unknown>()
  if (!context || state === undefined) return undefined
  const { approval } = await verifyState(app, state, context)
  const { inputResponses, signal, envelope, notify } = context.mcpReq
  const answer = inputResponse(inputResponses, question)
  if (answer.kind !== 'elicit' || answer.action !== 'accept') return approval
  const isDecided = await waitForDecision(app, approval, { atMost: maxWaitMs, signal })
  if (isDecided && !envelope)
    await notify({
      method: 'notifications/elicitation/complete',
      params: { elicitationId: approval },
    })
  return approval
}

async function verifyState(
  app: App,
  state: unknown,
  context: ServerContext,
): Promise<WaitingState> {
  try {
    if (typeof state !== 'string') throw new Error('not a text')
    return await codecOf(app).verify(state, context)
  } catch {
    const { caller } = messageContextIn(context)
    const request = requestFor(caller, 'tools/call', undefined, context.mcpReq, 'unknown')
    throw await recordRefusal(
      app,
      caller,
      request,
      invalid(
        'requestState',
        'was not issued by this server, belongs to another key, or has expired.',
      ),
    )
  }
}

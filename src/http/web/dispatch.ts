// Runs an endpoint: authentication, authorization, input, call log, response.

import { recordAction } from '../../audit/act.ts'
import { toRefusal } from '../../db/failures.ts'
import { isRecentlyVerified, type SignedInPerson } from '../../identity/sessions.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { App } from '../../operations/app.ts'
import {
  parseInput,
  EndpointReply,
  LineReply,
  type Audience,
  type PageAnswer,
} from '../../operations/endpoints/endpoint.ts'
import { personRequest } from '../../operations/endpoints/person-request.ts'
import { answerJson } from '../transport/answers.ts'
import { readJson } from '../transport/body.ts'
import { byMethod } from '../transport/methods.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import type { EndpointRequest, ServerEndpoint, Services, SignedInRequest } from './endpoint.ts'
import { answerLines } from './screens/line-answer.ts'
import { answerPage, notSignedIn } from './page-answer.ts'
import { requireSignedIn, findSignedIn } from './session-actor.ts'

/** The page of a path shared by these endpoints. */
export function endpointPage(services: Services, endpoints: readonly ServerEndpoint[]): WebPage {
  return byMethod(
    Object.fromEntries(
      endpoints.map((endpoint): [string, WebPage] => [
        endpoint.method,
        (incoming) => dispatch(services, endpoint, incoming),
      ]),
    ),
    endpoints.some((endpoint) => endpoint.streamsLines) ? { withoutHead: true } : {},
  )
}

async function dispatch(
  services: Services,
  endpoint: ServerEndpoint,
  incoming: Incoming,
): Promise<Response> {
  const { app } = services
  const mayBeSignedOut = endpoint.for === 'anyone' || endpoint.fromOtherSite
  const signed = await (mayBeSignedOut ? findSignedIn : requireSignedIn)(services, incoming)
  if (!signed && endpoint.name !== 'sign_in') app.limits.addresses.recordRequest(incoming.ip)
  const request = endpointRequestOf(services, incoming, signed)
  let isHandled = false
  try {
    requireRecent(services, endpoint.for, signed)
    const input = parseInput(endpoint, await inputOf(endpoint, incoming))
    if (endpoint.for !== 'anyone' && !signed) return answerPage(incoming, notSignedIn, app.baseUrl)
    isHandled = true
    const { value, isLogged } = await handle(endpoint, input, request)
    if (signed && !isLogged) await logCall(request, endpoint, signed)
    if (app.settings.check_answers) checkOutput(endpoint, value)
    return endpoint.fromOtherSite
      ? answerPage(incoming, value as PageAnswer, app.baseUrl)
      : answerValue(app, incoming, endpoint, value)
  } catch (error) {
    const { requestId } = incoming
    const refusal = toRefusal(app.log, error, { requestId, tool: endpoint.name })
    if (signed && !(isHandled && logsRefusals(endpoint)))
      await logCall(request, endpoint, signed, refusal)
    throw refusal
  }
}

/** Whether its refusals need no log entry by the dispatcher. */
const logsRefusals = ({ logsItself }: ServerEndpoint) =>
  logsItself === 'always' || logsItself === 'never'

function endpointRequestOf(
  services: Services,
  incoming: Incoming,
  signed: SignedInPerson | undefined,
): EndpointRequest {
  const { requestId, ip, client, params } = incoming
  const from = { requestId, ip, client, session: signed?.session.id }
  return { ...services, incoming, params, from, signed }
}

async function handle(
  endpoint: ServerEndpoint,
  input: Record<string, unknown>,
  request: EndpointRequest,
): Promise<{ value: unknown; isLogged: boolean }> {
  const logsItself = endpoint.logsItself !== undefined
  if (endpoint.for === 'anyone')
    return { value: await endpoint.handle(input, request), isLogged: logsItself }
  const asPerson = signedInRequest(endpoint, request, request.signed!)
  const value = await endpoint.handle(input, asPerson)
  return { value, isLogged: logsItself || asPerson.isLogged() }
}

function signedInRequest(
  endpoint: ServerEndpoint,
  request: EndpointRequest,
  signed: SignedInPerson,
): SignedInRequest {
  const { app, incoming, params } = request
  const { requestId, ip, client, trace } = incoming
  const callRequest = {
    tool: endpoint.name,
    args: {},
    argumentShape: endpoint.input,
    transport: 'web' as const,
    requestId,
    route: routeOf(endpoint),
    ip,
    client,
    trace,
    signal: incoming.request.signal,
  }
  return {
    ...request,
    ...personRequest(app, signed.actor, callRequest, params),
    signed,
    callRequest,
  }
}

/** @throws Refusal password_required */
function requireRecent(
  { app }: Services,
  audience: Audience,
  signed: SignedInPerson | undefined,
): void {
  if (
    audience !== 'recent-person' ||
    !signed ||
    isRecentlyVerified(signed.session, app.clock.now())
  )
    return
  throw new Refusal(
    'password_required',
    'Confirm your password or passkey to continue.',
    'Use POST /web/verify or POST /web/verify/passkey first; it is valid for 15 minutes.',
  )
}

async function inputOf({ method }: ServerEndpoint, incoming: Incoming): Promise<unknown> {
  if (method === 'POST') return (await readJson(incoming)) ?? {}
  const query = [...incoming.url.searchParams]
  const repeated = query.find(([name], i) => query.findIndex(([other]) => other === name) < i)
  if (repeated)
    throw new Refusal(
      'invalid_argument',
      `${repeated[0].slice(0, 80)}: appears more than once in the query.`,
    )
  return Object.fromEntries(query)
}

const routeOf = ({ method, path }: ServerEndpoint) => `${method} ${path.replace(/:(\w+)/g, '{$1}')}`

/** Logs a call that the endpoint has not logged itself. @throws Refusal if the log cannot be written */
async function logCall(
  { app, from }: EndpointRequest,
  endpoint: ServerEndpoint,
  { actor }: SignedInPerson,
  refusal?: Refusal,
): Promise<void> {
  const failed = refusal && {
    refusal: { code: refusal.code, denied: refusal.status === 401 || refusal.status === 403 },
  }
  const act = {
    ...from,
    tool: endpoint.name,
    route: routeOf(endpoint),
    kind: endpoint.method === 'GET' || endpoint.logsItself === 'always' ? 'read' : 'write',
    via: 'web',
    at: app.clock.now(),
    org_id: actor.org_id,
    actor_id: actor.id,
    items: [],
    ...failed,
  } as const
  await app.store.writer
    .append(() => recordAction(app.store, act))
    .catch((error: unknown) => {
      throw toRefusal(app.log, error, { requestId: from.requestId ?? '', tool: endpoint.name })
    })
}

/** For tests: the web app's types are generated from `output`. */
function checkOutput({ name, output }: ServerEndpoint, answer: unknown): void {
  if (answer instanceof LineReply) return
  const parsed = output.safeParse(answer instanceof EndpointReply ? answer.value : answer)
  if (!parsed.success)
    throw new Error(`${name} returned an answer that violates its schema: ${parsed.error.message}`)
}

function answerValue(
  app: App,
  incoming: Incoming,
  { name }: ServerEndpoint,
  answer: unknown,
): Response {
  if (answer instanceof LineReply) return answerLines(app, incoming, name, answer.lines)
  const {
    value,
    status = 200,
    headers,
  } = answer instanceof EndpointReply ? answer : new EndpointReply(answer)
  const all = [...headers, ['cross-origin-opener-policy', 'same-origin'] as const]
  return answerJson(incoming, status, JSON.stringify(value), all)
}

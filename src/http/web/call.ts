import { call, refusedEarly } from '../../operations/call/index.ts'
import { answerEmpty } from '../transport/answers.ts'
import { idempotencyKey } from '../routes/arguments.ts'
import { readJson } from '../transport/body.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { methodNotAllowed } from '../transport/problem.ts'
import { answerOf } from '../routes/rest.ts'
import type { House } from './action.ts'
import { demandSigned } from './session-actor.ts'

const allow = ['POST', 'OPTIONS']

/** Any operation of the catalogue, as the person who is signed in: through the same pipeline as every other call, with the same answers as over REST. */
export function callPage(house: House): WebPage {
  return async (incoming) => {
    if (incoming.method === 'OPTIONS')
      return answerEmpty(incoming, 204, [['allow', allow.join(', ')]])
    if (incoming.method !== 'POST') throw methodNotAllowed(incoming.method, allow)
    const { app } = house
    const { actor } = demandSigned(house, incoming)
    const request = requestOf(incoming)
    const sent = await readCall(incoming).catch(async (error) => {
      throw await refusedEarly(app, actor, request, error)
    })
    const answer = await call(app, actor, { ...request, ...sent })
    return answerOf(app, actor, incoming, { entry: app.catalogue.demand(request.tool) }, answer)
  }
}

function requestOf(incoming: Incoming) {
  const { requestId, ip, client, params, trace } = incoming
  return {
    tool: params.operation ?? '',
    args: undefined,
    transport: 'web' as const,
    requestId,
    route: 'POST /web/call',
    ip,
    client,
    signal: incoming.request.signal,
    trace,
  }
}

async function readCall(
  incoming: Incoming,
): Promise<{ args: unknown; idempotencyKey: string | undefined }> {
  return { args: (await readJson(incoming)) ?? {}, idempotencyKey: idempotencyKey(incoming) }
}

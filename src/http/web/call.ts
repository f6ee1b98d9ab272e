import { call, recordEarlyRefusal } from '../../operations/call/index.ts'
import { idempotencyKey } from '../routes/arguments.ts'
import { readJson } from '../transport/body.ts'
import { byMethod } from '../transport/methods.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import { answerOf } from '../routes/rest.ts'
import type { Services } from './endpoint.ts'
import { requireSignedIn } from './session-actor.ts'

/**
 * Any operation of the catalogue, as the signed-in person: through the same pipeline and with the same answers as
 * over REST.
 */
export function callPage(services: Services): WebPage {
  return byMethod({ POST: (incoming) => answerCall(services, incoming) })
}

async function answerCall(services: Services, incoming: Incoming): Promise<Response> {
  const { app } = services
  const { actor } = await requireSignedIn(services, incoming)
  const request = webCallRequest(incoming)
  const input = await readCall(incoming).catch(async (error) => {
    throw await recordEarlyRefusal(app, actor, request, error)
  })
  const answer = await call(app, actor, { ...request, ...input })
  return answerOf(app, actor, incoming, { entry: app.catalogue.requireEntry(request.tool) }, answer)
}

function webCallRequest(incoming: Incoming) {
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

import type { z } from 'zod'
import type { Actor } from '../../../kernel/actor.ts'
import { refusedEarly } from '../../../operations/call/index.ts'
import type { CallRequest } from '../../../operations/call/request.ts'
import { byMethod } from '../../transport/methods.ts'
import type { Incoming, WebPage } from '../../transport/request-info.ts'
import type { Services } from '../endpoint.ts'
import { demandSigned } from '../session-actor.ts'

/** What a screen asks for below /web. Each request is one entry in the call log, however much it reads. */
export interface ScreenRequest<B extends z.ZodRawShape> {
  method: 'GET' | 'POST'
  path: string
  /** What the call log calls it. */
  tool: string
  /** Its JSON body (POST) or its query (GET). */
  input: B
  /** Reads what was sent. */
  sent: (incoming: Incoming) => Promise<unknown>
  answer: (of: {
    services: Services
    actor: Actor
    incoming: Incoming
    request: CallRequest
    input: z.infer<z.ZodObject<B>>
  }) => Promise<Response>
  /** @throws Refusal invalid_argument */
  parse: (sent: unknown) => z.infer<z.ZodObject<B>>
}

/** The page of such a request, for whoever is signed in. */
export function screenPage<B extends z.ZodRawShape>(
  services: Services,
  of: ScreenRequest<B>,
): WebPage {
  const page: WebPage = async (incoming) => {
    const { actor } = await demandSigned(services, incoming)
    const { requestId, ip, client, trace } = incoming
    const request: CallRequest = {
      tool: of.tool,
      args: undefined,
      argumentShape: of.input,
      transport: 'web',
      requestId,
      route: `${of.method} ${of.path}`,
      ip,
      client,
      signal: incoming.request.signal,
      trace,
    }
    const sent = of.sent(incoming).then(of.parse)
    const input = await sent.catch(async (error) => {
      throw await refusedEarly(services.app, actor, request, error)
    })
    return of.answer({ services, actor, incoming, request, input })
  }
  return byMethod({ [of.method]: page }, { withoutHead: true })
}

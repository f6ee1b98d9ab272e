import type { z } from 'zod'
import type { Actor } from '../../../kernel/actor.ts'
import { refusedEarly } from '../../../operations/call/index.ts'
import type { CallRequest } from '../../../operations/call/request.ts'
import { answerEmpty } from '../../transport/answers.ts'
import { methodNotAllowed } from '../../transport/problem.ts'
import type { Incoming, WebPage } from '../../transport/request-info.ts'
import type { House } from '../action.ts'
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
    house: House
    actor: Actor
    incoming: Incoming
    request: CallRequest
    input: z.infer<z.ZodObject<B>>
  }) => Promise<Response>
  /** @throws Refusal invalid_argument */
  parse: (sent: unknown) => z.infer<z.ZodObject<B>>
}

/** The page of such a request, for whoever is signed in. */
export function screenPage<B extends z.ZodRawShape>(house: House, of: ScreenRequest<B>): WebPage {
  const allow = [of.method, 'OPTIONS']
  return async (incoming) => {
    if (incoming.method === 'OPTIONS')
      return answerEmpty(incoming, 204, [['allow', allow.join(', ')]])
    if (incoming.method !== of.method) throw methodNotAllowed(incoming.method, allow)
    const { actor } = demandSigned(house, incoming)
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
      throw await refusedEarly(house.app, actor, request, error)
    })
    return of.answer({ house, actor, incoming, request, input })
  }
}

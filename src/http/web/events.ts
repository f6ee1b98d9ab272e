import { answerEmpty } from '../transport/answers.ts'
import type { EventStreams } from '../routes/events.ts'
import type { Incoming, WebPage } from '../transport/request-info.ts'
import type { House } from './action.ts'
import { demandSigned } from './session-actor.ts'

const options = (incoming: Incoming) => answerEmpty(incoming, 204, [['allow', 'GET, OPTIONS']])

/** The stream of events for whoever is signed in, as GET /api/events is for whoever has a key. It ends with the session. */
export function eventsPage(house: House, events: EventStreams): WebPage {
  return async (incoming) => {
    if (incoming.method === 'OPTIONS') return options(incoming)
    return events.answer(incoming, demandSigned(house, incoming).actor, {
      transport: 'web',
      route: 'GET /web/events',
    })
  }
}

/** The call log as a stream, for whoever is signed in. It ends with the session. */
export function callStreamPage(house: House, events: EventStreams): WebPage {
  return async (incoming) =>
    incoming.method === 'OPTIONS'
      ? options(incoming)
      : events.answerCalls(incoming, demandSigned(house, incoming).actor)
}

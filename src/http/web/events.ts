import { answerEmpty } from '../answers.ts'
import type { EventStreams } from '../events.ts'
import type { Page } from '../incoming.ts'
import type { House } from './action.ts'
import { demandSigned } from './signed.ts'

/** The stream of events for whoever is signed in, as GET /api/events is for whoever has a key. It ends with the session. */
export function eventsPage(house: House, events: EventStreams): Page {
  return async incoming => {
    if (incoming.method === 'OPTIONS') return answerEmpty(incoming, 204, [['allow', 'GET, OPTIONS']])
    return events.answer(incoming, demandSigned(house, incoming).actor, { transport: 'web', route: 'GET /web/events' })
  }
}

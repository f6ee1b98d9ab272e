import type { PersonStream } from '../../operations/event-feed.ts'
import type { EventStreams } from '../routes/events.ts'
import { streamPage } from '../transport/methods.ts'
import type { WebPage } from '../transport/request-info.ts'
import type { Services } from './endpoint.ts'
import { requireSignedIn } from './session-actor.ts'

/** The event stream for the signed-in person, like GET /api/events for the owner of a key. It ends with the session. */
export function eventsPage(services: Services, events: EventStreams): WebPage {
  return streamPage(async (incoming) =>
    events.answer(incoming, (await requireSignedIn(services, incoming)).actor, {
      transport: 'web',
      route: 'GET /web/events',
    }),
  )
}

/** Serves a stream that a module offers to signed-in people. */
export function personStreamPage(
  services: Services,
  events: EventStreams,
  stream: PersonStream,
): WebPage {
  return streamPage(async (incoming) =>
    events.answerStream(incoming, (await requireSignedIn(services, incoming)).actor, stream),
  )
}

/** The call log as a stream for the signed-in person. It ends with the session. */
export function callStreamPage(services: Services, events: EventStreams): WebPage {
  return streamPage(async (incoming) =>
    events.answerCalls(incoming, (await requireSignedIn(services, incoming)).actor),
  )
}

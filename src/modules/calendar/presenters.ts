import { presenter } from '../../operations/listing/presenters.ts'
import { calendar, event, idOf, occurrencePlace } from './access.ts'
import { findGivenEvents, showGivenEvents } from './events/given-events.ts'
import { showCalendars } from './shapes.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const calendarPresenters = [
  presenter(calendar, { operation: 'list_calendars', entries: showCalendars }),
  presenter(event, {
    operation: 'list_events',
    find: findGivenEvents,
    entries: showGivenEvents,
    get: {
      operation: 'get_event',
      argument: 'event_id',
      idOf(given) {
        const { row, place = '' } = occurrencePlace(given)
        return idOf(row, place)
      },
    },
  }),
]

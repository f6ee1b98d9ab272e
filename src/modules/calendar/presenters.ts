import { presenter } from '../../operations/listing/presenters.ts'
import { calendar, event, occurrenceIdOf, occurrencePlace } from './access.ts'
import { findGivenEvents, presentGivenEvents } from './events/given-events.ts'
import { presentCalendars } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const calendarPresenters = [
  presenter(calendar, { operation: 'list_calendars', entries: presentCalendars }),
  presenter(event, {
    operation: 'list_events',
    find: findGivenEvents,
    entries: presentGivenEvents,
    get: {
      operation: 'get_event',
      argument: 'event_id',
      idOf(eventRow) {
        const { row, place = '' } = occurrencePlace(eventRow)
        return occurrenceIdOf(row, place)
      },
    },
  }),
]

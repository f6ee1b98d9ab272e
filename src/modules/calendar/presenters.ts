import { presenter } from '../../operations/listing/presenters.ts'
import { calendar, event, occurrenceIdOf, occurrencePlace } from './access.ts'
import { findEventsByIds, presentEventsAndOccurrences } from './events/event-lookups.ts'
import { presentCalendars } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const calendarPresenters = [
  presenter(calendar, { operation: 'list_calendars', entries: presentCalendars }),
  presenter(event, {
    operation: 'list_events',
    find: findEventsByIds,
    entries: presentEventsAndOccurrences,
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

import type { Module } from '../../operations/module.ts'
import { digestSources } from '../activity/shapes.ts'
import { invitationsSection } from './digest.ts'
import { addEventAttendees, removeEventAttendee } from './invitations/attendees.ts'
import { findMeetingTime, getAvailability } from './availability/availability.ts'
import { listCalendars } from './events/calendars.ts'
import { getCurrentTime } from './clock.ts'
import { listEventConflicts } from './availability/conflicts.ts'
import { createEvent } from './events/creation.ts'
import { deleteEvent } from './events/deletions.ts'
import { getEvent, listEvents } from './events/events.ts'
import { endCalendarImportsTick, importCalendarFile } from './transfers/import-jobs.ts'
import { respondToEvent, sendEventInvites } from './invitations/invitations.ts'
import { sendEventLetters, wakeEventLetters } from './invitations/delivery.ts'
import { pushCalendarChanges, syncCalendars, wakeCalendarSyncs } from './sync/jobs.ts'
import { readInvitations } from './sync/imip.ts'
import { updateOccurrenceIndex, notifyStarts } from './ticks.ts'
import { searchableEvents } from './searchable.ts'
import { downloadEventExport, exportCalendar, exportEvents } from './transfers/exports.ts'
import { importCalendar } from './transfers/transfers.ts'
import { updateEvent } from './events/updates.ts'
import { calendarPresenters } from './presenters.ts'

digestSources.register({
  kind: 'invitations',
  tool: 'list_events',
  section: invitationsSection,
})

export const calendarModule: Module = {
  name: 'calendar',
  about:
    'Own calendars with their events: built-in, and of connected accounts; series, invitations, free time of colleagues. Nouns: calendar, event, occurrence, availability.',
  operations: [
    listCalendars,
    listEvents,
    getEvent,
    createEvent,
    updateEvent,
    deleteEvent,
    addEventAttendees,
    removeEventAttendee,
    sendEventInvites,
    respondToEvent,
    getAvailability,
    findMeetingTime,
    listEventConflicts,
    getCurrentTime,
    exportEvents,
    downloadEventExport,
    exportCalendar,
    importCalendar,
  ],
  events: ['event.cancelled', 'event.starting_soon', 'event.response_received'],
  ticks: [
    updateOccurrenceIndex,
    notifyStarts,
    wakeCalendarSyncs,
    pushCalendarChanges,
    wakeEventLetters,
    readInvitations,
    endCalendarImportsTick,
  ],
  jobs: [syncCalendars, sendEventLetters, importCalendarFile],
  searchables: [searchableEvents],
  presenters: calendarPresenters,
}

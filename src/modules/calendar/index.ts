import type { Module } from '../../core/module.ts'
import { addEventAttendees, removeEventAttendee } from './attendees.ts'
import { findMeetingTime, getAvailability } from './availability.ts'
import { listCalendars } from './calendars.ts'
import { getCurrentTime } from './clock.ts'
import { listEventConflicts } from './conflicts.ts'
import { createEvent } from './creating.ts'
import { deleteEvent } from './deleting.ts'
import { getEvent, listEvents } from './events.ts'
import { endImports, importCalendarFile } from './import-job.ts'
import { respondToEvent, sendEventInvites } from './invites.ts'
import { sendEventLetters, wakeEventLetters } from './sendings.ts'
import { carryChanges, syncCalendars, wakeCalendarSyncs } from './sync.ts'
import { readInvitations } from './sync-imip.ts'
import { keepIndex, tellStarts } from './ticks.ts'
import { foundEvents } from './finds.ts'
import { exportCalendar, importCalendar } from './transfers.ts'
import { updateEvent } from './updating.ts'

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
    exportCalendar,
    importCalendar,
  ],
  events: ['event.cancelled', 'event.starting_soon', 'event.response_received'],
  ticks: [
    keepIndex,
    tellStarts,
    wakeCalendarSyncs,
    carryChanges,
    wakeEventLetters,
    readInvitations,
    endImports,
  ],
  jobs: [syncCalendars, sendEventLetters, importCalendarFile],
  finds: [foundEvents],
}

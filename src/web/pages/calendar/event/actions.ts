import type { Input } from '../../../api/client.ts'
import { table, write, type RowChange, type WriteResult } from '../../../store/index.ts'
import {
  isOccurrence,
  rowTimes,
  shiftedTime,
  timeOf,
  type EventRow,
  type EventTime,
  type Shift,
} from '../data/events.ts'
import { instantOf, wallOf } from '../data/wall.ts'
import { calendarTexts as t } from '../texts.ts'
import { askScope, type Scope } from './scope.ts'
import { describeTime, eventTitleOf } from './words.ts'

const { said } = t.calendar

/** The argument for a scope; single events have none. */
export const scopeArgs = (row: EventRow, scope: Scope): { scope?: Scope } =>
  row.series_id === undefined ? {} : { scope }

/** The rows affected by a change of a series. */
function affectedRows(row: EventRow, scope: Scope): EventRow[] {
  if (scope === 'this' || row.series_id === undefined) return [row]
  return [...table('event').all()].filter(
    (other) =>
      other.series_id === row.series_id &&
      isOccurrence(other) &&
      (scope === 'all' || other.starts_at >= row.starts_at),
  )
}

/** Optimistic changes to all events that a scope covers. */
export function seriesChanges(
  row: EventRow,
  scope: Scope,
  fieldsOf: (row: EventRow) => Record<string, unknown>,
): RowChange[] {
  return affectedRows(row, scope).map((row) => ({ type: 'event', id: row.id, set: fieldsOf(row) }))
}

/** Moves or resizes an event in wall-clock time. Asks for the scope in a series. */
export async function shift(row: EventRow, change: Shift): Promise<void> {
  const time = shiftedTime(timeOf(row), change)
  if (!time) return
  const scope = await askScope(row)
  if (scope === undefined) return
  const { startMinutes = 0 } = change
  const isMoved = time.starts !== timeOf(row).starts
  await write(
    'update_event',
    {
      event_id: row.id,
      ...scopeArgs(row, scope),
      ...(isMoved && { starts_at: time.starts }),
      ...((!isMoved || startMinutes !== 0) && { ends_at: time.ends }), // the end moves with the start if none is sent
      ...(time.allDay ? {} : { timezone: row.timezone }),
    },
    {
      rows: seriesChanges(row, scope, (row) => {
        const moved = shiftedTime(timeOf(row), change)
        return moved ? rowTimes(moved, row.timezone) : {}
      }),
      text: said.moved(eventTitleOf(row), describeTime(time)),
      lane: laneOf(row),
    },
  )
}

/** The write lane of an event: changes of one series run in sequence. */
export const laneOf = (row: EventRow): string => `event ${row.series_id ?? row.id}`

export interface NewEvent {
  /** Temporary id until the server assigns one; writes with it as their group are undone together. */
  id: string
  input: Input<'create_event'>
  time: EventTime
  /** The reader's zone, used for display. */
  zone: string
  /** The zone of `time`. */
  fromZone: string
  calendar: { id: string; title: string }
}

/** Creates an event; shown immediately. */
export function createEvent(newEvent: NewEvent): Promise<WriteResult<'create_event'>> {
  const { id, input, time, zone, fromZone, calendar } = newEvent
  const now = new Date().toISOString()
  const add = {
    revision: 0,
    created_at: now,
    updated_at: now,
    url: '',
    calendar,
    title: input.title,
    ...rowTimes(inZone(time, fromZone, zone), zone),
    timezone: zone,
    attendees: [],
    is_exception: false,
    kind: input.kind ?? 'default',
    status: 'confirmed',
    reminders_minutes: [],
    invites_pending: false,
  } satisfies Omit<EventRow, 'id'>
  return write('create_event', input, {
    rows: [{ type: 'event', id, add }],
    text: said.created(input.title),
    group: id,
  })
}

/** The same moment in another zone's wall-clock time; days stay days. */
function inZone(time: EventTime, from: string, to: string): EventTime {
  const convert = (text: string) => wallOf(instantOf(text, from), to)
  return time.allDay || from === to
    ? time
    : { ...time, starts: convert(time.starts), ends: convert(time.ends) }
}

/** Answers an invitation; the organizer is notified. */
export async function respond(
  row: EventRow,
  response: 'accepted' | 'tentative' | 'declined',
): Promise<void> {
  const scope = await askScope(row, { choices: ['this', 'all'] })
  if (scope === undefined) return
  await write(
    'respond_to_event',
    {
      event_id: row.id,
      response,
      ...(row.series_id === undefined ? {} : { scope: scope === 'all' ? 'all' : 'this' }),
    },
    {
      rows: seriesChanges(row, scope, () => ({ my_response: response })),
      text: said.answered(eventTitleOf(row), t.calendar.event.answers[response]),
      undo: false,
    },
  )
}

/** Notifies guests of changes since the last notification. */
export async function invite(row: EventRow): Promise<void> {
  await write(
    'send_event_invites',
    { event_id: row.series_id ?? row.id },
    {
      rows: seriesChanges(row, 'all', () => ({ invites_pending: false })),
      text: said.invited(eventTitleOf(row)),
      undo: false,
    },
  )
}

/** The address of an event's meeting, which is created if needed; undefined if the server refused it. */
export async function meetingPath(row: EventRow): Promise<string | undefined> {
  if (row.meeting) return `/meetings/${row.meeting.id}`
  const creation = await write(
    'create_meeting',
    { event_id: row.id },
    { text: said.meeting(eventTitleOf(row)) },
  )
  return creation.state === 'done' && creation.value ? `/meetings/${creation.value.id}` : undefined
}

/** Deletes an event, or the chosen part of its series. Cannot be undone if guests are notified. */
export async function removeEvent(row: EventRow, scope: Scope, notify: boolean): Promise<void> {
  await write(
    'delete_event',
    { event_id: row.id, ...scopeArgs(row, scope), notify },
    {
      rows: affectedRows(row, scope).map(({ id }) => ({ type: 'event', id, remove: true })),
      text: said.deleted(eventTitleOf(row)),
      undo: !notify,
      lane: laneOf(row),
    },
  )
}

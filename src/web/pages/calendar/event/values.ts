import type { Input } from '../../../api/client.ts'
import type { EventRow, EventTime } from '../data/events.ts'
import { addMinutes, minuteOf, minutesBetween, wallAt, wallOf } from '../data/wall.ts'
import { minutesFor, type PlannableTask } from '../tasks/plannable.ts'
import { calendarTexts as t } from '../texts.ts'
import { splitRule, withUntil } from './rules.ts'

/** Event values in the form. Guests are names of colleagues and addresses. */
export interface EventValues {
  title: string
  allDay: boolean
  startDay: string
  startTime: string
  endDay: string
  endTime: string
  zone: string
  place: string
  guests: string[]
  /** Without its end; '': not repeated. */
  rule: string
  until: string
  calendarId: string
  about: string
  /** Minutes before the start; '': none. */
  reminder: string
  kind: EventRow['kind']
  /** New events: whether a video meeting link is added. */
  hasVideo: boolean
  /** New focus time: the task that it is for; '': none. */
  taskId: string
}

export interface EventStart {
  day: string
  from?: number | undefined
  until?: number | undefined
  /** Time for focused work, kept free of meetings. */
  isFocus?: boolean | undefined
  /** Focus time for this task. */
  task?: PlannableTask | undefined
}

const defaultMinutes = 60
const morningMinute = 9 * 60

/** A new event on a day; without a time it starts at the next half hour, or in the morning on another day. */
export function newValues(
  { day, from, until, task, isFocus = task !== undefined }: EventStart,
  now: string,
  zone: string,
): EventValues {
  const nextHalfHour = Math.ceil((minuteOf(now) + 1) / 30) * 30
  const start = from ?? (day === now.slice(0, 10) ? Math.min(nextHalfHour, 1380) : morningMinute)
  return {
    title: task?.title ?? (isFocus ? t.calendar.form.focus : ''),
    allDay: false,
    ...wallValues(
      wallAt(day, start),
      wallAt(day, until ?? start + (task ? minutesFor(task) : defaultMinutes)),
    ),
    zone,
    place: '',
    guests: [],
    rule: '',
    until: '',
    calendarId: '',
    about: '',
    reminder: '10',
    kind: isFocus ? 'focus' : 'default',
    hasVideo: false,
    taskId: task?.id ?? '',
  }
}

function wallValues(starts: string, ends: string) {
  return {
    startDay: starts.slice(0, 10),
    startTime: starts.slice(11, 16),
    endDay: ends.slice(0, 10),
    endTime: ends.slice(11, 16),
  }
}

/** An existing event, in its own zone. */
export function eventValuesOf(row: EventRow): EventValues {
  const zone = row.event_timezone ?? row.timezone
  const localTime = (at: string) => wallOf(Date.parse(at), zone)
  const { rule, until } = splitRule(row.rrule ?? '')
  const times = row.all_day
    ? wallValues(`${row.starts_local}T09:00`, `${row.ends_local}T10:00`)
    : wallValues(localTime(row.starts_at), localTime(row.ends_at))
  return {
    title: row.title,
    allDay: row.all_day,
    ...times,
    zone,
    place: row.location ?? '',
    guests: row.attendees.map(({ address }) => address.email ?? address.name ?? ''),
    rule: row.rrule === undefined ? '' : rule,
    until,
    calendarId: row.calendar.id,
    about: row.content?.text ?? '',
    reminder: row.reminders_minutes[0] === undefined ? '' : String(row.reminders_minutes[0]),
    kind: row.kind,
    hasVideo: row.video_url !== undefined,
    taskId: '',
  }
}

export function timeOfValues(values: EventValues): EventTime {
  const { allDay, startDay, startTime, endDay, endTime } = values
  return allDay
    ? { allDay, starts: startDay, ends: endDay }
    : { allDay, starts: `${startDay}T${startTime}`, ends: `${endDay}T${endTime}` }
}

/** Moves the start and keeps the duration. */
export function withStart(values: EventValues, startDay: string, startTime: string): EventValues {
  const before = timeOfValues({ ...values, allDay: false })
  const starts = `${startDay}T${startTime}`
  const durationMinutes = minutesBetween(before.starts, before.ends)
  if (!Number.isFinite(durationMinutes) || durationMinutes < 0 || Number.isNaN(Date.parse(starts)))
    return { ...values, startDay, startTime }
  return { ...values, ...wallValues(starts, addMinutes(starts, durationMinutes)) }
}

/** Sets the duration in minutes. */
export function withDuration(values: EventValues, minutes: number): EventValues {
  const starts = `${values.startDay}T${values.startTime}`
  return { ...values, ...wallValues(starts, addMinutes(starts, minutes)) }
}

const eventRuleOf = ({ rule, until }: EventValues): string =>
  rule === '' ? '' : withUntil(rule, until)

/** True if it ends before it starts, or has an invalid day. */
export function isBackwards(values: EventValues): boolean {
  const { starts, ends } = timeOfValues(values)
  return !(values.allDay ? ends >= starts : ends > starts)
}

export const isAttendeeAddress = (text: string): boolean =>
  /^[^\s@]+@[^\s@]+$|<[^\s@]+@[^\s@]+>$/.test(text)

/** Converts the form to the input that creates the event. */
export function createInputOf(values: EventValues, guests: string[]): Input<'create_event'> {
  const { allDay, starts, ends } = timeOfValues(values)
  const rrule = eventRuleOf(values)
  return {
    title: values.title.trim(),
    starts_at: starts,
    ends_at: ends,
    all_day: allDay,
    timezone: values.zone,
    reminders_minutes: remindersOf(values),
    ...(values.kind === 'default' ? {} : { kind: values.kind }),
    ...(values.hasVideo ? { add_video_link: true } : {}),
    ...(values.place.trim() === '' ? {} : { location: values.place.trim() }),
    ...(values.about.trim() === '' ? {} : { description_markdown: values.about.trim() }),
    ...(guests.length === 0 ? {} : { attendees: guests }),
    ...(rrule === '' ? {} : { rrule }),
    ...(values.calendarId === '' ? {} : { calendar_id: values.calendarId }),
  }
}

/** Input of update_event that the form can change. */
export type EventPatch = Omit<Input<'update_event'>, 'event_id' | 'scope' | 'expected_revision'>

export function patchOf(before: EventValues, after: EventValues): EventPatch {
  const all: EventPatch = {
    title: after.title.trim(),
    location: after.place.trim() || null,
    description_markdown: after.about.trim() || null,
    rrule: eventRuleOf(after) || null,
    calendar_id: after.calendarId,
    reminders_minutes: remindersOf(after),
  }
  const isChanged: Partial<Record<keyof EventPatch, boolean>> = {
    title: before.title !== after.title,
    location: before.place !== after.place,
    description_markdown: before.about !== after.about,
    rrule: eventRuleOf(before) !== eventRuleOf(after),
    calendar_id: before.calendarId !== after.calendarId,
    reminders_minutes: before.reminder !== after.reminder,
  }
  const changed = Object.entries(all).filter(([name]) => isChanged[name as keyof EventPatch])
  return { ...timePatch(before, after), ...Object.fromEntries(changed) }
}

const remindersOf = ({ reminder }: EventValues) => (reminder === '' ? [] : [Number(reminder)])

/** Time changes; if only the start was edited, an event keeps its duration, also across a clock change. */
function timePatch(before: EventValues, after: EventValues): EventPatch {
  const [oldTime, newTime] = [timeOfValues(before), timeOfValues(after)]
  const isAllDayChanged = oldTime.allDay !== newTime.allDay
  const starts =
    isAllDayChanged || oldTime.starts !== newTime.starts ? { starts_at: newTime.starts } : {}
  const ends =
    isAllDayChanged || eventMinutes(oldTime) !== eventMinutes(newTime)
      ? { ends_at: newTime.ends }
      : {}
  const times = { ...starts, ...ends }
  return newTime.allDay || Object.keys(times).length === 0
    ? times
    : { ...times, timezone: after.zone }
}

const eventMinutes = ({ starts, ends }: EventTime) =>
  minutesBetween(toWallTime(starts), toWallTime(ends))

const toWallTime = (text: string) => (text.length === 10 ? `${text}T00:00` : text)

import { relativeDay } from '../../../ui/work/days.ts'
import type { EventRow, EventTime } from '../data/events.ts'
import { calendarTexts as t } from '../texts.ts'

export const eventTitleOf = ({ title }: { title: string }): string =>
  title === '' ? t.calendar.untitled : title

const clockOf = (wall: string) => wall.slice(11, 16)

/** The hours of an event: 09:00 – 10:00. */
export function hoursOf({ starts, ends }: EventTime): string {
  return starts === ends ? clockOf(starts) : `${clockOf(starts)} – ${clockOf(ends)}`
}

/** Time of an event: Fri 09:00 – 10:00, Today – Sat, Today 22:00 – Tomorrow 02:00. */
export function describeTime(time: EventTime): string {
  const { allDay, starts, ends } = time
  const [from, to] = [starts.slice(0, 10), ends.slice(0, 10)]
  if (allDay) return from === to ? relativeDay(from) : `${relativeDay(from)} – ${relativeDay(to)}`
  if (from === to) return `${relativeDay(from)} ${hoursOf(time)}`
  return `${relativeDay(from)} ${clockOf(starts)} – ${relativeDay(to)} ${clockOf(ends)}`
}

/** State of an event in words, unless it is simply confirmed. */
export function stateTextsOf(row: EventRow): string[] {
  const { calendar } = t
  return [
    ...(row.status === 'cancelled' ? [calendar.cancelled] : []),
    ...(row.my_response === 'declined' ? [calendar.declined] : []),
    ...(row.my_response === 'needs_action' ? [calendar.unanswered] : []),
    ...(row.invites_pending ? [calendar.uninvited] : []),
  ]
}

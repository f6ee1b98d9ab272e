import type { RowOf } from '../../../store/index.ts'
import { addDays } from '../../../ui/work/days.ts'
import { addMinutes, instantOf, minuteOf, minutesBetween } from './wall.ts'

export type EventRow = RowOf<'event'>

/** Time of an event in the reader's wall-clock time; for all-day events, inclusive days. */
export interface EventTime {
  allDay: boolean
  starts: string
  ends: string
}

export function timeOf({ all_day, starts_local, ends_local }: EventRow): EventTime {
  const textLength = all_day ? 10 : 16
  return {
    allDay: all_day,
    starts: starts_local.slice(0, textLength),
    ends: ends_local.slice(0, textLength),
  }
}

export const firstDay = ({ starts_local }: EventRow): string => starts_local.slice(0, 10)

/** The last day of an event; an event that ends at midnight does not include the following day. */
export function lastDay(row: EventRow): string {
  const { allDay, starts, ends } = timeOf(row)
  if (allDay) return ends
  return ends > starts && ends.endsWith('T00:00')
    ? addMinutes(ends, -1).slice(0, 10)
    : ends.slice(0, 10)
}

/** True if the event is shown above the hours: it is all-day, or lasts at least a day. */
export function isLong(row: EventRow): boolean {
  const { allDay, starts, ends } = timeOf(row)
  return allDay || minutesBetween(starts, ends) >= 1440
}

/** True for an actual occurrence: the row of a series itself is not on any day. */
export const isOccurrence = (row: EventRow): boolean =>
  row.series_id === undefined || row.id !== row.series_id

export const isOnDays = (row: EventRow, from: string, to: string): boolean =>
  firstDay(row) <= to && lastDay(row) >= from

/** All-day events first, then by start. */
export function compareEvents(a: EventRow, b: EventRow): number {
  const keyOf = (row: EventRow) =>
    `${firstDay(row)}${isLong(row) ? 0 : 1}${row.starts_local}${row.id}`
  const [first, second] = [keyOf(a), keyOf(b)]
  if (first === second) return 0
  return first < second ? -1 : 1
}

/** The part of an event on one day, in minutes since midnight. */
export interface DayPart {
  row: EventRow
  from: number
  until: number
}

export function partOn(row: EventRow, day: string): DayPart {
  const { starts, ends } = timeOf(row)
  const from = starts.slice(0, 10) < day ? 0 : minuteOf(starts)
  const until = ends.slice(0, 10) > day ? 1440 : minuteOf(ends)
  return { row, from, until: Math.max(from, until) }
}

/** A move by days and minutes, or a change of only the start or the end; all-day events use only days. */
export interface Shift {
  days?: number
  minutes?: number
  /** Minutes by which the start moves; the end stays. */
  startMinutes?: number
  endMinutes?: number
}

const minDurationMinutes = 15

/** The time after a shift; undefined if nothing changes. */
export function shiftedTime(
  time: EventTime,
  { days = 0, minutes = 0, startMinutes = 0, endMinutes = 0 }: Shift,
): EventTime | undefined {
  const { allDay, starts, ends } = time
  if (allDay) {
    const moved = {
      allDay,
      starts: addDays(starts, days + Math.sign(startMinutes)),
      ends: addDays(ends, days + Math.sign(endMinutes)),
    }
    return moved.ends < moved.starts || isSameEventTime(moved, time) ? undefined : moved
  }
  const step = days * 1440 + minutes
  const moved = {
    allDay,
    starts: addMinutes(starts, step + startMinutes),
    ends: addMinutes(ends, step + endMinutes),
  }
  const durationMinutes = minutesBetween(moved.starts, moved.ends)
  const isShorter = endMinutes < 0 || startMinutes > 0
  if ((isShorter && durationMinutes < minDurationMinutes) || isSameEventTime(moved, time))
    return undefined
  return moved
}

const isSameEventTime = (a: EventTime, b: EventTime) => a.starts === b.starts && a.ends === b.ends

/** The time fields of a row, in the server's format. */
export function rowTimes({ allDay, starts, ends }: EventTime, zone: string) {
  const isoTime = (wall: string) => new Date(instantOf(wall, zone)).toISOString()
  return allDay
    ? {
        all_day: true,
        starts_at: isoTime(`${starts}T00:00`),
        ends_at: isoTime(`${addDays(ends, 1)}T00:00`),
        starts_local: starts,
        ends_local: ends,
      }
    : {
        all_day: false,
        starts_at: isoTime(starts),
        ends_at: isoTime(ends),
        starts_local: `${starts}:00`,
        ends_local: `${ends}:00`,
      }
}

import type { Row } from '../../../records/resource.ts'
import type { Component, CalendarObject } from '../ical/objects.ts'

/** A cancelled event, or a cancelled part of a series that otherwise continues. */
export interface Cancellation {
  row: Row<'events'>
  calendar: Row<'calendars'>
  /** The event, series or occurrence as it was before the cancellation. */
  component: Component
  /** The calendar object without the cancelled part; undefined if nothing is left. */
  remaining: CalendarObject | undefined
  /** Place of the occurrence, if the series continues. */
  place: string | undefined
}

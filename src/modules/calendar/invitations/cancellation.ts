import type { Row } from '../../../records/resource.ts'
import type { Component, CalendarObject } from '../ical/objects.ts'

/** Cancelled part of a series, the rest of which stays, or a whole event. */
export interface Cancelled {
  row: Row<'events'>
  of: Row<'calendars'>
  /** The event, series or occurrence as it was. */
  component: Component
  /** The tree without the part; undefined: nothing is left. */
  rest: CalendarObject | undefined
  /** The occurrence, of which the series goes on. */
  place: string | undefined
}

import type { Row } from '../../../records/resource.ts'
import type { Component, CalendarObject } from '../ical/objects.ts'

/** What is cancelled: a part of a series, whose rest stays, or all of an event. */
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

import type { Row } from '../../../records/resource.ts'
import type { Component, CalendarObject } from '../ical/objects.ts'

/** Cancelled part of a series, the rest of which stays, or a whole event. */
export interface Cancelled {
  row: Row<'events'>
  calendar: Row<'calendars'>
  /** The previous event, series or occurrence. */
  component: Component
  /** The tree without the part; undefined if nothing is left. */
  rest: CalendarObject | undefined
  /** Place of the occurrence, if the series continues. */
  place: string | undefined
}

import { presenter } from '../../operations/listing/presenters.ts'
import { timeEntry } from './access.ts'
import { presentEntries } from './shapes.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const timePresenters = [
  presenter(timeEntry, { operation: 'list_time_entries', entries: presentEntries }),
]

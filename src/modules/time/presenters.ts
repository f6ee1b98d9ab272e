import { presenter } from '../../operations/listing/presenters.ts'
import { timeEntry } from './access.ts'
import { presentEntries } from './shapes.ts'

export const timePresenters = [
  presenter(timeEntry, { operation: 'list_time_entries', entries: presentEntries }),
]

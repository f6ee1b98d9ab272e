import { presenter } from '../../operations/listing/presenters.ts'
import { savedView } from './access.ts'
import { presentViews } from './shapes.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const viewsPresenters = [
  presenter(savedView, { operation: 'list_saved_views', entries: presentViews }),
]

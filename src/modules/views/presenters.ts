import { presenter } from '../../operations/listing/presenters.ts'
import { savedView } from './access.ts'
import { presentViews } from './shapes.ts'

export const viewsPresenters = [
  presenter(savedView, { operation: 'list_saved_views', entries: presentViews }),
]

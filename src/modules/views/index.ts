import type { Module } from '../../operations/module.ts'
import * as views from './views.ts'
import { viewsPresenters } from './presenters.ts'

export const viewsModule: Module = {
  name: 'views',
  about:
    'Saved filters with sort order, grouping and columns, private or shared; each viewer sees only the items they have access to. Nouns: saved view.',
  operations: Object.values(views),
  presenters: viewsPresenters,
}

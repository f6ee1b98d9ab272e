import type { Module } from '../../core/operation.ts'
import * as views from './views.ts'

export const viewsModule: Module = {
  name: 'views',
  about: 'Saved filters with their order, grouping and columns, own or shared; whoever runs one sees their own items only. Nouns: saved view.',
  operations: Object.values(views),
}

import { searchable } from '../../operations/search/searchable.ts'
import { entity } from './access.ts'

/** Entities are contained in the organization; guests see none. */
export const searchableEntities = searchable({
  kind: 'entity',
  source: 'entities',
  resource: entity,
  containers: async (ctx) => (ctx.actor.role === 'guest' ? [] : [ctx.actor.org_id]),
  narrow: (ctx, rows, { project, person }) =>
    project || !person ? undefined : rows.where('entities.created_by', '=', person.id),
})

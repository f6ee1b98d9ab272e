import { presenter } from '../../operations/listing/presenters.ts'
import { entity, fact, itemLink, observation, relation } from './access.ts'
import { presentEntities } from './entities/presenter.ts'
import { presentFacts, presentLinks, presentObservations, presentRelations } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const knowledgePresenters = [
  presenter(entity, {
    operation: 'get_entity',
    entries: (ctx, rows) => presentEntities(ctx, rows),
    get: { operation: 'get_entity', argument: 'entity_id' },
  }),
  presenter(fact, { operation: 'list_facts', entries: (ctx, rows) => presentFacts(ctx, rows) }),
  presenter(observation, { operation: 'get_entity', entries: presentObservations }),
  presenter(relation, {
    operation: 'get_entity_neighbors',
    entries: (ctx, rows) => presentRelations(ctx, rows),
  }),
  presenter(itemLink, { operation: 'find_related_items', entries: presentLinks }),
]

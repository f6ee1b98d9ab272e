import { presenter } from '../../operations/listing/presenters.ts'
import { entity, fact, itemLink, observation, relation } from './access.ts'
import { showEntities } from './entities/presenter.ts'
import { showFacts, showLinks, showObservations, showRelations } from './shapes.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const knowledgePresenters = [
  presenter(entity, {
    operation: 'get_entity',
    entries: (ctx, rows) => showEntities(ctx, rows),
    get: { operation: 'get_entity', argument: 'entity_id' },
  }),
  presenter(fact, { operation: 'list_facts', entries: (ctx, rows) => showFacts(ctx, rows) }),
  presenter(observation, { operation: 'get_entity', entries: showObservations }),
  presenter(relation, {
    operation: 'get_entity_neighbors',
    entries: (ctx, rows) => showRelations(ctx, rows),
  }),
  presenter(itemLink, { operation: 'find_related_items', entries: showLinks }),
]

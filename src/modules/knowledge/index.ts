import type { Module } from '../../core/module.ts'
import { listConflictingFacts } from './conflicts.ts'
import { createEntity, deleteEntity, getEntity, searchEntities, updateEntity } from './entities.ts'
import { findExperts } from './experts.ts'
import { explainConnection } from './explanations.ts'
import { addFact, invalidateFact, listFacts } from './facts.ts'
import { foundEntities } from './finds.ts'
import { followNames } from './following.ts'
import { linkItems, unlinkItems } from './links.ts'
import { mergeEntities } from './merges.ts'
import { getEntityNeighbors } from './neighbors.ts'
import { addObservation, deleteObservation } from './observations.ts'
import { getKnowledgeOverview } from './overviews.ts'
import { findEntityPath } from './paths.ts'
import { findRelatedItems } from './related.ts'
import { createRelation, deleteRelation } from './relations.ts'
import { searchWorkspace } from './searches.ts'
import { getEntityTimeline } from './timelines.ts'
import { erasures } from '../../core/forget.ts'
import { knowledgeErasure } from './access-erasure.ts'

erasures.register(knowledgeErasure)

export const knowledgeModule: Module = {
  name: 'knowledge',
  about:
    'Search everything, and the knowledge graph: entities, dated facts with sources, and connections. Nouns: entity, relation, fact, observation, link.',
  operations: [
    searchWorkspace,
    findRelatedItems,
    findExperts,
    searchEntities,
    getEntity,
    createEntity,
    updateEntity,
    deleteEntity,
    mergeEntities,
    createRelation,
    deleteRelation,
    listFacts,
    addFact,
    invalidateFact,
    addObservation,
    deleteObservation,
    getEntityNeighbors,
    findEntityPath,
    explainConnection,
    getEntityTimeline,
    listConflictingFacts,
    getKnowledgeOverview,
    linkItems,
    unlinkItems,
  ],
  finds: [foundEntities],
  ticks: [followNames],
  events: ['entity.merged', 'fact.added', 'fact.invalidated', 'fact.conflict_found'],
}

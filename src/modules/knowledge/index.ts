import type { Module } from '../../operations/module.ts'
import { listConflictingFacts } from './facts/conflicts.ts'
import {
  createEntity,
  deleteEntity,
  getEntity,
  searchEntities,
  updateEntity,
} from './entities/entities.ts'
import { findExperts } from './entities/experts.ts'
import { explainConnection } from './graph/explanations.ts'
import { addFact, invalidateFact, listFacts } from './facts/facts.ts'
import { searchableEntities } from './searchable.ts'
import { itemEntityTick } from './entities/item-entities.ts'
import { linkItems, unlinkItems } from './graph/links.ts'
import { mergeEntities } from './entities/merges.ts'
import { getEntityNeighbors } from './graph/neighbors.ts'
import { addObservation, deleteObservation } from './facts/observations.ts'
import { getKnowledgeOverview } from './entities/overviews.ts'
import { findEntityPath } from './graph/paths.ts'
import { findRelatedItems } from './graph/related-items.ts'
import { reindexWords } from './outdated-words.ts'
import { createRelation, deleteRelation } from './graph/relations.ts'
import { searchWorkspace } from './search.ts'
import { getEntityTimeline } from './entities/timelines.ts'
import { erasures } from '../../privacy/erasure.ts'
import { knowledgeErasure } from './access-erasure.ts'
import { getItem } from './items.ts'
import { fetchDocument, search } from './research.ts'
import { knowledgePresenters } from './presenters.ts'

erasures.register(knowledgeErasure)

export const knowledgeModule: Module = {
  name: 'knowledge',
  about:
    'Search everything, and the knowledge graph: entities, dated facts with sources, and connections. Nouns: entity, relation, fact, observation, link.',
  operations: [
    searchWorkspace,
    search,
    fetchDocument,
    getItem,
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
  searchables: [searchableEntities],
  ticks: [itemEntityTick, reindexWords],
  events: ['entity.merged', 'fact.added', 'fact.invalidated', 'fact.conflict_found'],
  presenters: knowledgePresenters,
}

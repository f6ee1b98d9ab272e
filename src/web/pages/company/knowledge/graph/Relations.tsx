import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Output } from '../../../../api/client.ts'
import { useOperation } from '../../../../api/queries.ts'
import { useCommands } from '../../../../keys/commands.ts'
import { useStoredChoice } from '../../../../session/kept-choice.ts'
import { knowledgeTexts } from '../../../../texts/en/company/knowledge.ts'
import { QueryContent } from '../../../../ui/states.tsx'
import { DimmedText } from '../../../items/Facts.tsx'
import { Choices } from '../../../planning/Choices.tsx'
import type { Entry } from '../EntryForm.tsx'
import { Graph } from './Graph.tsx'
import { neighborhoodOf } from './neighborhood.ts'
import { RelationTree } from './RelationTree.tsx'

const { relation: words, graph } = knowledgeTexts
const views = ['tree', 'graph'] as const

interface RelationsProps {
  entityId: string
  ask: (entry: Entry) => void
}

/** Relations of an entity, as a tree or a graph; keys move through them, open an entity, and go back. */
export function Relations({ entityId, ask }: RelationsProps) {
  const { history } = useRouter()
  const [view, setView] = useStoredChoice('knowledge-view', views)
  useCommands({
    'entity.back': () => history.back(),
    'entity.graph': () => setView(view === 'tree' ? 'graph' : 'tree'),
  })
  const neighbors = useOperation('get_entity_neighbors', {
    entity_id: entityId,
    depth: 2,
    limit: 100,
  })
  return (
    <>
      <Choices
        label={graph.view}
        choices={views}
        selected={view}
        choose={setView}
        names={graph.views}
        command="entity.graph"
      />
      <QueryContent query={neighbors}>
        {(answer) => <NeighborhoodView answer={answer} view={view} ask={ask} />}
      </QueryContent>
    </>
  )
}

interface NeighborhoodProps {
  answer: Output<'get_entity_neighbors'>
  view: (typeof views)[number]
  ask: (entry: Entry) => void
}

function NeighborhoodView({ answer, view, ask }: NeighborhoodProps) {
  const neighborhood = useMemo(() => neighborhoodOf(answer), [answer])
  const { edges, omittedCount, isTruncated } = neighborhood
  if (edges.length === 0) return <DimmedText>{words.none}</DimmedText>
  return (
    <>
      {view === 'tree' ? (
        <RelationTree neighborhood={neighborhood} ask={ask} />
      ) : (
        <Graph neighborhood={neighborhood} />
      )}
      {(omittedCount > 0 || isTruncated) && (
        <DimmedText>{graph.leftOut(omittedCount, isTruncated)}</DimmedText>
      )}
    </>
  )
}

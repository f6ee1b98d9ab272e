import { useRouter } from '@tanstack/react-router'
import { useMemo } from 'react'
import type { Output } from '../../../../api/client.ts'
import { useOperation } from '../../../../api/queries.ts'
import { useCommands } from '../../../../keys/commands.ts'
import { useKeptChoice } from '../../../../session/kept-choice.ts'
import { knowledgeTexts } from '../../../../texts/en/company/knowledge.ts'
import { Shown } from '../../../../ui/states.tsx'
import { Quiet } from '../../../items/Facts.tsx'
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

/** Relations of an entity, as a tree or as a graph of the same; keys move through it, to the entities, and back. */
export function Relations({ entityId, ask }: RelationsProps) {
  const { history } = useRouter()
  const [view, setView] = useKeptChoice('knowledge-view', views)
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
        chosen={view}
        choose={setView}
        names={graph.views}
        command="entity.graph"
      />
      <Shown query={neighbors}>
        {(answer) => <Around answer={answer} view={view} ask={ask} />}
      </Shown>
    </>
  )
}

interface AroundProps {
  answer: Output<'get_entity_neighbors'>
  view: (typeof views)[number]
  ask: (entry: Entry) => void
}

function Around({ answer, view, ask }: AroundProps) {
  const near = useMemo(() => neighborhoodOf(answer), [answer])
  const { edges, leftOut, isCut } = near
  if (edges.length === 0) return <Quiet>{words.none}</Quiet>
  return (
    <>
      {view === 'tree' ? <RelationTree near={near} ask={ask} /> : <Graph near={near} />}
      {(leftOut > 0 || isCut) && <Quiet>{graph.leftOut(leftOut, isCut)}</Quiet>}
    </>
  )
}

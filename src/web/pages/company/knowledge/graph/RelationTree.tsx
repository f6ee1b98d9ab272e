import { useMemo, useRef } from 'react'
import { knowledgeTexts } from '../../../../texts/en/company/knowledge.ts'
import { t } from '../../../../texts/index.ts'
import { ItemLink } from '../../../../ui/ItemLink.tsx'
import { useRowKeys } from '../../../../ui/work/row-keys.ts'
import planning from '../../../planning/planning.module.css'
import { endRelation } from '../entries.ts'
import type { Entry } from '../EntryForm.tsx'
import knowledge from '../knowledge.module.css'
import styles from './graph.module.css'
import { treeOf, type Branch, type Neighborhood } from './neighborhood.ts'

const { relation: words } = knowledgeTexts

interface RelationTreeProps {
  neighborhood: Neighborhood
  ask: (entry: Entry) => void
}

/** The relations of an entity, each with those of the related entity below it; keys move through all of them. */
export function RelationTree({ neighborhood, ask }: RelationTreeProps) {
  const list = useRef<HTMLDivElement>(null)
  const branches = useMemo(() => treeOf(neighborhood), [neighborhood])
  useRowKeys(list)
  return (
    <div ref={list}>
      <Branches branches={branches} ask={ask} />
    </div>
  )
}

function Branches({ branches, ask }: { branches: readonly Branch[]; ask: (entry: Entry) => void }) {
  return (
    <ul className={styles.branches}>
      {branches.map((branch) => (
        <li key={branch.edge.id}>
          <RelationLine branch={branch} ask={ask} />
          {branch.branches.length > 0 && <Branches branches={branch.branches} ask={ask} />}
        </li>
      ))}
    </ul>
  )
}

function RelationLine({
  branch: { edge, to },
  ask,
}: {
  branch: Branch
  ask: (entry: Entry) => void
}) {
  const { from, type, relation, source } = edge
  return (
    <div className={knowledge.known}>
      <div className={knowledge.line}>
        <ItemLink item={from} isRow={from.id === to.id} />
        <span className={planning.quiet}>{t.items.word(type).toLowerCase()}</span>
        <ItemLink item={edge.to} isRow={edge.to.id === to.id} />
        {source && <ItemLink item={source} />}
      </div>
      {relation && (
        <button
          type="button"
          className={planning.button}
          data-plain
          aria-label={words.endOf(`${from.title} – ${edge.to.title}`)}
          onClick={() => ask(endRelation(relation))}
        >
          {words.end}
        </button>
      )}
    </div>
  )
}

import { useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useList } from '../../../api/queries.ts'
import { knowledgeTexts } from '../../../texts/en/company/knowledge.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { formatDate } from '../../../ui/times.tsx'
import { DimmedText } from '../../items/Facts.tsx'
import { LinkTarget } from '../../items/Section.tsx'
import planning from '../../planning/planning.module.css'
import { endFact } from './entries.ts'
import type { Entry } from './EntryForm.tsx'
import styles from './knowledge.module.css'

type Fact = Output<'list_facts'>['items'][number]

const { fact: words } = knowledgeTexts

interface FactsProps {
  entityId: string
  ask: (entry: Entry) => void
}

/** The current facts of an entity, and on request the outdated ones. */
export function EntityFacts({ entityId, ask }: FactsProps) {
  const [hasHistory, setHistory] = useState(false)
  const facts = useList('list_facts', {
    entity_id: entityId,
    include_invalid: hasHistory,
    limit: 50,
  })
  return (
    <>
      <QueryContent query={facts}>
        {() => (
          <>
            {facts.items.length === 0 && <DimmedText>{words.none}</DimmedText>}
            {facts.items.map((fact) => (
              <FactLine key={fact.id} fact={fact} ask={ask} />
            ))}
            <MoreButton query={facts} />
          </>
        )}
      </QueryContent>
      <button
        type="button"
        className={`${planning.button} ${styles.history}`}
        aria-pressed={hasHistory}
        onClick={() => setHistory(!hasHistory)}
      >
        {words.history}
      </button>
    </>
  )
}

interface FactLineProps {
  fact: Fact
  ask: (entry: Entry) => void
  /** Additional note. */
  note?: string | undefined
}

/** A fact with its start date, its source, and its outcome. */
export function FactLine({ fact, ask, note }: FactLineProps) {
  const { predicate, value, value_entity: entity, status } = fact
  return (
    <LinkTarget id={fact.id}>
      <div className={styles.known}>
        <div>
          <span className={planning.quiet}>{t.items.word(predicate)}: </span>
          {entity ? <ItemLink item={entity} /> : null}
          {entity?.title !== value && <span dir="auto"> {value}</span>}
          <Origin fact={fact} mark={note} />
        </div>
        {status === 'valid' && (
          <button
            type="button"
            className={planning.button}
            data-plain
            aria-label={words.endOf(`${t.items.word(predicate)}: ${value}`)}
            onClick={() => ask(endFact(fact))}
          >
            {words.end}
          </button>
        )}
      </div>
    </LinkTarget>
  )
}

function Origin({ fact, mark }: { fact: Fact; mark: string | undefined }) {
  const { valid_from: from, valid_to: until, status, reason, source, stated_by: by } = fact
  const details = [
    t.items.entity.since(formatDate(from)),
    until && t.items.entity.until(formatDate(until)),
    status !== 'valid' && words.status[status],
    reason && words.because(reason),
    by?.title,
    source === 'hidden' && t.items.entity.hidden,
    mark,
  ].filter((part) => part !== undefined && part !== false && part !== '')
  return (
    <DimmedText>
      <span dir="auto">{details.join(' · ')}</span>
      {source !== undefined && source !== 'hidden' && (
        <>
          {' '}
          <ItemLink item={source} />
        </>
      )}
    </DimmedText>
  )
}

import { useDocumentTitle } from '@mantine/hooks'
import { useNavigate, useSearch } from '@tanstack/react-router'
import type { Output } from '../../../api/client.ts'
import { useOperation } from '../../../api/queries.ts'
import { knowledgeTexts } from '../../../texts/en/company/knowledge.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink, type ItemReference } from '../../../ui/ItemLink.tsx'
import { QueryContent } from '../../../ui/states.tsx'
import { formatDate } from '../../../ui/times.tsx'
import { DimmedText } from '../../items/Facts.tsx'
import { ItemSection } from '../../items/Section.tsx'
import planning from '../../planning/planning.module.css'
import contacts from '../contacts/contacts.module.css'
import { EntryForm, type Entry } from './EntryForm.tsx'
import styles from './knowledge.module.css'
import { KnowledgeTabs } from './KnowledgeTabs.tsx'

const { path: words } = knowledgeTexts

/** Connections of two entities, with the evidence for each step; both are stored in the address. */
export function Connections() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const search = useSearch({ strict: false }) as { from?: string; to?: string }
  const [from, to] = [String(search.from ?? ''), String(search.to ?? '')]
  const navigate = useNavigate()
  const entry: Entry = {
    title: words.title,
    action: words.find,
    fields: [
      { name: 'from', label: words.from, kind: 'entity', isRequired: true },
      { name: 'to', label: words.to, kind: 'entity', isRequired: true },
    ],
    values: { from, to },
    submit: (entries) => void navigate({ to: '/knowledge/path', search: entries, replace: true }),
  }
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={contacts.hidden}>{words.title}</h1>
        <KnowledgeTabs />
      </header>
      <div className={styles.body}>
        <EntryForm key={`${from}\n${to}`} entry={entry} />
        {from !== '' && to !== '' ? (
          <>
            <Chains from={from} to={to} />
            <Evidence from={from} to={to} />
          </>
        ) : (
          <DimmedText>{words.hint}</DimmedText>
        )}
      </div>
    </div>
  )
}

interface EndsProps {
  from: string
  to: string
}

function Chains({ from, to }: EndsProps) {
  const paths = useOperation('find_entity_path', {
    from_entity_id: from,
    to_entity_id: to,
    limit: 5,
  })
  return (
    <ItemSection title={words.chains}>
      <QueryContent query={paths}>
        {({ items }) => (
          <>
            {items.length === 0 && <DimmedText>{words.none}</DimmedText>}
            {items.map(({ steps }) => (
              <Chain key={connectionKeyOf(steps)} steps={steps} />
            ))}
          </>
        )}
      </QueryContent>
    </ItemSection>
  )
}

type Steps = Output<'find_entity_path'>['items'][number]['steps']

const connectionKeyOf = (steps: Steps) =>
  steps.map(({ relation, to }) => `${relation} ${to.id}`).join(' ')

function Chain({ steps }: { steps: Steps }) {
  return (
    <ol className={styles.steps}>
      {steps[0] && (
        <li>
          <ItemLink item={steps[0].from} />
        </li>
      )}
      {steps.map(({ relation, reversed, to, valid_now: isValid }) => (
        <li key={to.id} className={styles.line}>
          <span className={planning.quiet}>
            {(reversed ? words.reversed : words.forward)(t.items.word(relation).toLowerCase())}
            {!isValid && ` (${words.ended})`}
          </span>
          <ItemLink item={to} />
        </li>
      ))}
    </ol>
  )
}

function Evidence({ from, to }: EndsProps) {
  const explanation = useOperation('explain_connection', { from_id: from, to_id: to })
  return (
    <ItemSection title={words.proof}>
      <QueryContent query={explanation}>
        {({ steps }) => (
          <>
            {steps.length === 0 && <DimmedText>{words.none}</DimmedText>}
            {steps.map(({ statement, evidence }) => (
              <div key={statement}>
                <span dir="auto">{statement}</span>
                {evidence.map(({ item, quote, date: evidenceDate }) => (
                  <DimmedText key={`${evidenceDate} ${quote}`}>
                    {item === 'hidden' ? words.hidden : <ItemLink item={item as ItemReference} />}{' '}
                    {formatDate(evidenceDate)} <span dir="auto">{quote}</span>
                  </DimmedText>
                ))}
              </div>
            ))}
          </>
        )}
      </QueryContent>
    </ItemSection>
  )
}

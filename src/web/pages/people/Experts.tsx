import { useDocumentTitle } from '@mantine/hooks'
import { IconUserQuestion } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef } from 'react'
import type { Output } from '../../api/client.ts'
import { useList } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { t } from '../../texts/index.ts'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { AppLink } from '../../ui/AppLink.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { relativeDay } from '../../ui/work/days.ts'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import { Face } from '../../ui/work/Who.tsx'
import planning from '../planning/planning.module.css'
import styles from './people.module.css'
import { PeopleTabs } from './PeopleTabs.tsx'
import { TopicField } from './TopicField.tsx'

type Expert = Output<'find_experts'>['items'][number]

const { experts: words } = peopleTexts

/** Colleagues with knowledge of a subject, with evidence; the subject is in the address. */
export function Experts() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const { q, team } = useSearch({ strict: false }) as { q?: string; team?: string }
  const [topic, teamId] = [String(q ?? ''), String(team ?? '')]
  const navigate = useNavigate()
  const field = useRef<HTMLInputElement>(null)
  const search = (next: { q: string; team: string }) => {
    const searchEntries = Object.entries(next).filter(([, value]) => value !== '')
    void navigate({ to: '/people/experts', search: Object.fromEntries(searchEntries) })
  }
  useCommands({ 'view.filter': () => field.current?.focus() })
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={planning.hidden}>{words.title}</h1>
        <PeopleTabs />
      </header>
      <TopicField key={topic} field={field} topic={topic} team={teamId} onSearch={search} />
      {topic === '' ? (
        <div className={planning.padded}>
          <EmptyState icon={IconUserQuestion} {...words.start} />
        </div>
      ) : (
        <ExpertResults topic={topic} team={teamId} />
      )}
    </div>
  )
}

interface ExpertResultsProps {
  topic: string
  team: string
}

function ExpertResults({ topic, team }: ExpertResultsProps) {
  const list = useRef<HTMLOListElement>(null)
  useRowKeys(list)
  const experts = useList('find_experts', {
    topic,
    limit: 10,
    ...(team !== '' && { team_id: team }),
  })
  return (
    <div className={styles.scroll}>
      <QueryContent query={experts}>
        {() =>
          experts.items.length === 0 ? (
            <div className={planning.padded}>
              <EmptyState icon={IconUserQuestion} {...words.none} />
            </div>
          ) : (
            <>
              <p className={styles.hint}>{words.how}</p>
              <ol ref={list} className={styles.list}>
                {experts.items.map((expert) => (
                  <ExpertRow key={expert.person.id} expert={expert} />
                ))}
              </ol>
            </>
          )
        }
      </QueryContent>
      <MoreButton query={experts} />
    </div>
  )
}

function ExpertRow({ expert }: { expert: Expert }) {
  const { person, evidence, last_active_on_topic: last } = expert
  return (
    <li className={styles.expert}>
      <div className={styles.row}>
        <Face id={person.id} name={person.title} size={22} />
        <AppLink to={`/people/${person.id}`} className={styles.name} data-row dir="auto">
          {person.title}
        </AppLink>
        <span className={planning.note}>{words.last(relativeDay(last))}</span>
      </div>
      <ul className={styles.evidence} aria-label={words.evidence(person.title)}>
        {evidence.map(({ item, why }) => (
          <li key={`${item.id} ${why}`}>
            <ItemLink item={item} />
            <span className={planning.note} dir="auto">
              {why}
            </span>
          </li>
        ))}
      </ul>
    </li>
  )
}

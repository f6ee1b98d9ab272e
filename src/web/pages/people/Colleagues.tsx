import { useDocumentTitle } from '@mantine/hooks'
import { IconUsers } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useList } from '../../api/queries.ts'
import { useCommands } from '../../keys/commands.ts'
import { peopleTexts } from '../../texts/en/company/people.ts'
import { t } from '../../texts/index.ts'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { AppLink } from '../../ui/AppLink.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { dayOf, relativeDay } from '../../ui/work/days.ts'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import { Face } from '../../ui/work/Who.tsx'
import { SearchField } from '../company/SearchField.tsx'
import { useDebouncedQuery } from '../company/sought.ts'
import planning from '../planning/planning.module.css'
import type { Colleague } from './data.ts'
import styles from './people.module.css'
import { PeopleTabs } from './PeopleTabs.tsx'

const { people: words } = peopleTexts

/** The people of the organization, with their roles and absences. */
export function Colleagues() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const [query, setQuery] = useState('')
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const searchQuery = useDebouncedQuery(query)
  const people = useList('list_people', {
    status: 'active',
    limit: 100,
    ...(searchQuery !== '' && { query: searchQuery }),
  })
  const awayUntil = useAwayUntil()
  useRowKeys(list)
  useCommands({ 'view.filter': () => field.current?.focus() })
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={planning.hidden}>{words.title}</h1>
        <PeopleTabs />
        <SearchField field={field} label={words.search} query={query} setQuery={setQuery} />
      </header>
      <QueryContent query={people}>
        {() =>
          people.items.length === 0 ? (
            <div className={planning.padded}>
              <EmptyState icon={IconUsers} {...words.none} />
            </div>
          ) : (
            <ul ref={list} className={styles.list}>
              {people.items.map((person) => (
                <Row key={person.id} person={person} until={awayUntil.get(person.id)} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      <MoreButton query={people} />
    </div>
  )
}

/** The last day of current absences, by person. */
function useAwayUntil(): ReadonlyMap<string, string> {
  const today = dayOf()
  const absences = useList('list_time_off', { from: today, to: today, limit: 100 })
  return new Map(absences.items.map(({ person, ends_on: last }) => [person.id, last]))
}

function Row({ person, until }: { person: Colleague; until: string | undefined }) {
  const { id, display_name: name, title, teams, email } = person
  return (
    <li className={styles.row}>
      <Face id={id} name={name} size={22} />
      <AppLink to={`/people/${id}`} className={styles.name} data-row dir="auto">
        {name}
      </AppLink>
      {until !== undefined && (
        <span className={styles.away}>{words.until(relativeDay(until))}</span>
      )}
      {title !== null && (
        <span className={planning.note} dir="auto">
          {title}
        </span>
      )}
      {teams.length > 0 && (
        <span className={planning.note} dir="auto">
          {teams.map((team) => team.title).join(', ')}
        </span>
      )}
      <span className={planning.note}>{email}</span>
    </li>
  )
}

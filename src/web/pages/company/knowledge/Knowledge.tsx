import { useDocumentTitle } from '@mantine/hooks'
import { IconPlus, IconSearchOff, IconShare3 } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useRef, useState } from 'react'
import type { Output } from '../../../api/client.ts'
import { useList, useOperation } from '../../../api/queries.ts'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { knowledgeTexts as words } from '../../../texts/en/company/knowledge.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { AppLink } from '../../../ui/AppLink.tsx'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import planning from '../../planning/planning.module.css'
import contacts from '../contacts/contacts.module.css'
import { SearchField } from '../SearchField.tsx'
import { useDebouncedQuery } from '../sought.ts'
import services from '../services/services.module.css'
import { newEntity } from './entries.ts'
import { EntryDialog } from './EntryForm.tsx'
import styles from './knowledge.module.css'
import { KnowledgeTabs } from './KnowledgeTabs.tsx'

interface Filter {
  q: string
  kind: string
}

/** Search query and filter, stored in the address. */
function useFilter(): [Filter, (change: Partial<Filter>) => void] {
  const { q, kind } = useSearch({ strict: false }) as Partial<Filter>
  const navigate = useNavigate()
  const filter = { q: String(q ?? ''), kind: String(kind ?? '') }
  const set = (change: Partial<Filter>) => {
    const searchEntries = Object.entries({ ...filter, ...change }).filter(
      ([, value]) => value !== '',
    )
    void navigate({ to: '/knowledge', search: Object.fromEntries(searchEntries), replace: true })
  }
  return [filter, set]
}

/** The entities of the organization, filtered by kind and words. */
export function Knowledge() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const navigate = useNavigate()
  const [filter, setFilter] = useFilter()
  const query = useDebouncedQuery(filter.q)
  const entities = useList('search_entities', {
    ...(query !== '' && { query }),
    ...(filter.kind !== '' && { type: [filter.kind] }),
    limit: 50,
  })
  const [isCreating, setCreating] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const isAll = query === '' && filter.kind === ''
  useCommands({
    'entity.create': () => setCreating(true),
    'view.filter': () => field.current?.focus(),
    'view.clear': isAll ? undefined : () => setFilter({ q: '', kind: '' }),
  })
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={contacts.hidden}>{words.title}</h1>
        <KnowledgeTabs />
        <SearchField
          field={field}
          label={words.search}
          query={filter.q}
          setQuery={(q) => setFilter({ q })}
        />
        <span className={planning.spring} />
        <CreateButton />
      </header>
      <EntityTypeChoices chosen={filter.kind} choose={(kind) => setFilter({ kind })} />
      {entities.error && <Problem error={entities.error} retry={() => void entities.refetch()} />}
      {entities.isPending && <Loading />}
      {entities.data && entities.items.length === 0 && (
        <div className={planning.padded}>
          {isAll ? (
            <EmptyState icon={IconShare3} {...words.empty} />
          ) : (
            <EmptyState icon={IconSearchOff} {...words.noMatch} />
          )}
        </div>
      )}
      <Entities entities={entities.items} />
      <MoreButton query={entities} />
      <EntryDialog
        entry={
          isCreating ? newEntity((id) => void navigate({ to: `/knowledge/${id}` })) : undefined
        }
        close={() => setCreating(false)}
      />
    </div>
  )
}

function CreateButton() {
  return (
    <button type="button" className={planning.primary} onClick={() => runCommand('entity.create')}>
      <IconPlus size={15} stroke={2} aria-hidden />
      {words.create}
    </button>
  )
}

/** The existing kinds, with their numbers of entities. */
function EntityTypeChoices({ chosen, choose }: { chosen: string; choose: (kind: string) => void }) {
  const { data } = useOperation('get_knowledge_overview', {})
  const kinds = data?.entity_types ?? []
  if (kinds.length === 0) return null
  const all = { type: '', count: kinds.reduce((sum, { count }) => sum + count, 0) }
  return (
    <fieldset className={styles.kinds} aria-label={words.kinds}>
      {[all, ...kinds].map(({ type, count }) => (
        <button
          key={type}
          type="button"
          className={planning.button}
          data-plain
          aria-pressed={type === chosen}
          onClick={() => choose(type)}
        >
          {type === '' ? words.all : t.items.word(type)}
          <span className={planning.note}>{count.toLocaleString()}</span>
        </button>
      ))}
    </fieldset>
  )
}

function Entities({ entities }: { entities: Output<'search_entities'>['items'] }) {
  const list = useRef<HTMLUListElement>(null)
  useRowKeys(list)
  return (
    <ul ref={list} className={services.list}>
      {entities.map(({ id, name, type, description, counts }) => (
        <li key={id} className={services.row}>
          <AppLink to={`/knowledge/${id}`} className={services.name} data-row dir="auto">
            {name}
          </AppLink>
          <span className={services.facts}>
            <span>{t.items.word(type)}</span>
            <span>{words.counts(counts.facts, counts.relations)}</span>
            <span className={styles.about} dir="auto">
              {description}
            </span>
          </span>
        </li>
      ))}
    </ul>
  )
}

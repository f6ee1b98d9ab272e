import { useDocumentTitle } from '@mantine/hooks'
import { IconAlertOctagon, IconPlus, IconSearchOff } from '@tabler/icons-react'
import { useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef, useState, type ReactNode } from 'react'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { useSignedIn } from '../../../session/session.ts'
import { table, useAllRowsOf, useListedRows, useRow } from '../../../store/index.ts'
import { incidentTexts as words } from '../../../texts/en/company/incidents.ts'
import { t } from '../../../texts/index.ts'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { useFrozenOrder } from '../../../ui/work/table/frozen.ts'
import { RowTable } from '../../../ui/work/table/RowTable.tsx'
import { selection } from '../../../ui/work/table/selection.ts'
import { Choices } from '../../planning/Choices.tsx'
import { CommandButton } from '../../planning/CommandButton.tsx'
import planning from '../../planning/planning.module.css'
import contacts from '../contacts/contacts.module.css'
import { ResponseTabs } from '../ResponseTabs.tsx'
import { SearchField } from '../SearchField.tsx'
import { incidentColumns } from './columns.tsx'
import { acknowledge, mitigate, type IncidentRow } from './data.ts'
import { DeclareIncident } from './DeclareIncident.tsx'
import { exportIncidents } from './export.ts'
import { Figures } from './Figures.tsx'
import { SeverityMark } from './marks.tsx'
import {
  activeStatuses,
  compareIncidents,
  matchesIncidentFilter,
  matchesIncident,
  type IncidentFilter,
} from './order.ts'

const kinds: readonly IncidentFilter[] = ['open', 'all', 'mine']
const incidentRowOf = (id: string) => table('incident').get(id)
const useIncident = (id: string) => useRow('incident', id)
const incidentPathOf = ({ key }: IncidentRow) => `/incidents/${key}`

interface ListFilter {
  show: IncidentFilter
  query: string
}

/** Filter and query, stored in the address. */
function useListFilter(): [
  ListFilter,
  (change: Partial<ListFilter> & { declare?: boolean }) => void,
] {
  const { show, q } = useSearch({ strict: false }) as { show?: string; q?: string }
  const navigate = useNavigate()
  const current: ListFilter = {
    show: kinds.find((kind) => kind === show) ?? 'open',
    query: String(q ?? ''),
  }
  const set = (change: Partial<ListFilter>) => {
    const next = { ...current, ...change }
    void navigate({
      to: '/incidents',
      search: {
        ...(next.show !== 'open' && { show: next.show }),
        ...(next.query !== '' && { q: next.query }),
      },
      replace: true,
    })
  }
  return [current, set]
}

/** The incidents of the organization, open ones first, edited in place. */
export function Incidents() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const listState = useListedRows('incident', {})
  const navigate = useNavigate()
  const [filter, setFilter] = useListFilter()
  const { declare } = useSearch({ strict: false }) as { declare?: boolean }
  const [isCreating, setCreating] = useState(false)
  const [hasFigures, setFigures] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const { ids, count, hold } = useMatchingIds(filter)
  useIncidentCommands()
  useCommands({
    'incident.create': () => setCreating(true),
    'incident.figures': () => setFigures(true),
    'incident.export': () =>
      void exportIncidents(filter.show === 'open' ? { status: activeStatuses } : {}),
    'view.filter': () => field.current?.focus(),
    'view.clear':
      filter.query === '' && filter.show === 'open'
        ? undefined
        : () => setFilter({ query: '', show: 'open' }),
  })
  const close = () => {
    setCreating(false)
    if (declare) setFilter({})
  }
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={contacts.hidden}>{words.title}</h1>
        <ResponseTabs />
        <IncidentFilterChoices filter={filter.show} choose={(kind) => setFilter({ show: kind })} />
        <SearchField
          field={field}
          label={words.search}
          query={filter.query}
          setQuery={(query) => setFilter({ query })}
        />
        <span className={planning.note} role="status">
          {words.of(ids.length, count)}
        </span>
        <Buttons />
      </header>
      {ids.length === 0 ? (
        <div className={planning.padded}>
          <NoIncidents
            {...{ loading: listState, count, filter }}
            showAll={() => setFilter({ show: 'all', query: '' })}
            create={() => setCreating(true)}
          />
        </div>
      ) : (
        <RowTable<IncidentRow>
          label={words.title}
          ids={ids}
          columns={incidentColumns}
          rowOf={incidentRowOf}
          useRow={useIncident}
          pathOf={incidentPathOf}
          headLabel={t.items.field('open')}
          pickLabel={({ key }) => words.pick(key)}
          head={({ key, severity }) => <SeverityMark severity={severity} label={words.open(key)} />}
          open={(row) => void navigate({ to: incidentPathOf(row) })}
          holdOrder={hold}
        />
      )}
      <DeclareIncident isOpen={isCreating || declare === true} close={close} />
      <Figures isOpen={hasFigures} close={() => setFigures(false)} />
    </div>
  )
}

/** The filtered incidents, in order; they keep their order while keys act on them. */
function useMatchingIds({ show, query }: ListFilter) {
  const { person } = useSignedIn()
  const all = useAllRowsOf('incident')
  const searchText = useDeferredValue(query.trim())
  const view = `${show} ${searchText}`
  const { rows, holdOrder } = useFrozenOrder(useDeferredValue(all), view)
  const ids = useMemo(
    () =>
      rows
        .filter((row) => matchesIncidentFilter(row, show, person.id))
        .filter((row) => searchText === '' || matchesIncident(row, searchText))
        .toSorted(compareIncidents)
        .map(({ id }) => id),
    [rows, searchText, show, person.id],
  )
  return { ids, count: all.length, hold: holdOrder }
}

function useIncidentCommands(): void {
  const { person } = useSignedIn()
  const currentIncident = () => incidentRowOf(selection().cursor ?? '')
  const me = { id: person.id, title: person.name }
  useCommands({
    'incident.acknowledge': () => {
      const incident = currentIncident()
      if (incident?.status !== 'open') return false
      acknowledge(incident, me)
      return true
    },
    'incident.mitigate': () => {
      const incident = currentIncident()
      if (incident?.status !== 'acknowledged') return false
      mitigate(incident)
      return true
    },
  })
}

function Buttons() {
  return (
    <>
      <span className={planning.spring} />
      <button
        type="button"
        className={planning.button}
        data-plain
        data-optional
        onClick={() => runCommand('incident.figures')}
      >
        {words.figures.title}
      </button>
      <CommandButton command="incident.export" isOptional />
      <button
        type="button"
        className={planning.primary}
        onClick={() => runCommand('incident.create')}
      >
        <IconPlus size={15} stroke={2} aria-hidden />
        {words.create}
      </button>
    </>
  )
}

interface IncidentFilterProps {
  filter: IncidentFilter
  choose: (kind: IncidentFilter) => void
}

const IncidentFilterChoices = ({ filter, choose }: IncidentFilterProps) => (
  <Choices
    label={words.shown}
    choices={kinds}
    selected={filter}
    choose={choose}
    names={words.kinds}
  />
)

interface NoIncidentsProps {
  loading: ReturnType<typeof useListedRows>
  count: number
  filter: ListFilter
  showAll: () => void
  create: () => void
}

/** Shown while loading, if there are no incidents, or if none match the filter. */
function NoIncidents({ loading, count, filter, showAll, create }: NoIncidentsProps): ReactNode {
  if (loading.error) return <Problem error={loading.error} retry={loading.retry} />
  if (!loading.isLoaded) return <Loading />
  const button = (label: string, run: () => void) => (
    <button type="button" className={planning.button} onClick={run}>
      {label}
    </button>
  )
  if (count === 0)
    return (
      <EmptyState icon={IconAlertOctagon} {...words.empty} action={button(words.create, create)} />
    )
  const text = filter.query === '' && filter.show === 'open' ? words.noneOpen : words.noMatch
  return <EmptyState icon={IconSearchOff} {...text} action={button(words.clear, showAll)} />
}

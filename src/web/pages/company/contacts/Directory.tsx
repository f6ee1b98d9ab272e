import { useDocumentTitle } from '@mantine/hooks'
import { IconPlus, IconSearchOff, type Icon } from '@tabler/icons-react'
import { useLocation, useNavigate, useSearch } from '@tanstack/react-router'
import { useDeferredValue, useMemo, useRef, type ReactNode } from 'react'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import type { CommandId } from '../../../keys/keymap.ts'
import { useAllRowsOf, type RowOf, type useListedRows } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { useFrozenOrder } from '../../../ui/work/table/frozen.ts'
import { RowTable, type RowTableProps } from '../../../ui/work/table/RowTable.tsx'
import { usePicked } from '../../../ui/work/table/selection.ts'
import { CommandButton } from '../../planning/CommandButton.tsx'
import planning from '../../planning/planning.module.css'
import { SearchField } from '../SearchField.tsx'
import styles from './contacts.module.css'

type DirectoryType = 'contact' | 'company'
type SharedTableProps<R> = Pick<
  RowTableProps<R>,
  'columns' | 'rowOf' | 'useRow' | 'pathOf' | 'head'
>

interface DirectoryProps<T extends DirectoryType> extends SharedTableProps<RowOf<T>> {
  type: T
  title: string
  listState: ReturnType<typeof useListedRows>
  matches: (row: RowOf<T>, query: string) => boolean
  icon: Icon
  empty: { title: string; text: string; prompt: string }
  createLabel: string
  create: () => void
  pickedCommands: readonly CommandId[]
  /** Commands for all rows. */
  commands: readonly CommandId[]
}

/** Contacts or companies, with search and in-place editing. */
export function Directory<T extends DirectoryType>(props: DirectoryProps<T>) {
  const { type, title, listState, matches, pathOf, createLabel, create, pickedCommands } = props
  useDocumentTitle(`${title} – ${t.app.name}`)
  const field = useRef<HTMLInputElement>(null)
  const navigate = useNavigate()
  const [query, setQuery] = useQuery()
  const rows = useAllRowsOf<T>(type)
  const { found: matchingRows, hold } = useMatchingRows(rows, query, matches)
  const ids = useMemo(() => matchingRows.map(({ id }) => id), [matchingRows])
  useCommands({
    'view.filter': () => field.current?.focus(),
    'view.clear': query === '' ? undefined : () => setQuery(''),
  })
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={styles.hidden}>{title}</h1>
        <DirectoryTabs />
        <SearchField field={field} label={words.search} query={query} setQuery={setQuery} />
        <span className={planning.note} role="status">
          {words.of(ids.length, rows.length)}
        </span>
        {props.commands.map((command) => (
          <CommandButton key={command} command={command} isOptional />
        ))}
        <button type="button" className={planning.primary} onClick={create}>
          <IconPlus size={15} stroke={2} aria-hidden />
          {createLabel}
        </button>
      </header>
      {rows.length === 0 || ids.length === 0 ? (
        <div className={planning.padded}>
          <NoRows {...props} hasRows={rows.length > 0} clear={() => setQuery('')} />
        </div>
      ) : (
        <RowTable<RowOf<T>>
          {...props}
          label={title}
          ids={ids}
          headLabel={t.items.field('open')}
          pickLabel={({ name }) => words.pick(name)}
          open={(row) => void navigate({ to: pathOf(row) })}
          holdOrder={hold}
        />
      )}
      <PickedRows commands={pickedCommands} />
      {listState.error && rows.length > 0 && (
        <Problem error={listState.error} retry={listState.retry} />
      )}
    </div>
  )
}

/** Search query, stored in the address. */
function useQuery(): [query: string, set: (query: string) => void] {
  const { q } = useSearch({ strict: false }) as { q?: string }
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const set = (query: string) =>
    void navigate({ to: pathname, search: query === '' ? {} : { q: query }, replace: true })
  return [String(q ?? ''), set]
}

/** The matching rows, by name; they keep their order while keys act on them. */
function useMatchingRows<R extends { id: string; name: string }>(
  all: readonly R[],
  query: string,
  matches: (row: R, query: string) => boolean,
) {
  const searchText = useDeferredValue(query.trim())
  const { rows, isFrozen, holdOrder } = useFrozenOrder(useDeferredValue(all), searchText)
  const matching = useMemo(
    () =>
      rows
        .filter((row) => searchText === '' || matches(row, searchText))
        .toSorted((a, b) => a.name.localeCompare(b.name) || (a.id < b.id ? -1 : 1)),
    [rows, searchText, matches],
  )
  const existingIds = useMemo(() => new Set(all.map(({ id }) => id)), [all])
  return {
    found: isFrozen ? matching.filter(({ id }) => existingIds.has(id)) : matching,
    hold: holdOrder,
  }
}

function DirectoryTabs() {
  const { pathname } = useLocation()
  const navigate = useNavigate()
  const otherPath = pathname === '/contacts' ? '/companies' : '/contacts'
  const openOther = () => void navigate({ to: otherPath })
  useCommands({ 'tab.next': openOther, 'tab.previous': openOther })
  return (
    <nav className={planning.tabs} aria-label={words.tabs}>
      {[
        { to: '/contacts', label: words.title },
        { to: '/companies', label: words.companies },
      ].map(({ to, label }) => (
        <RouterLink
          key={to}
          to={to}
          className={planning.tab}
          aria-current={pathname === to ? 'page' : undefined}
        >
          {label}
        </RouterLink>
      ))}
    </nav>
  )
}

interface NoRowsProps {
  listState: ReturnType<typeof useListedRows>
  icon: Icon
  empty: { title: string; text: string; prompt: string }
  createLabel: string
  create: () => void
  hasRows: boolean
  clear: () => void
}

/** Shown while loading, if there are no rows, or if none match. */
function NoRows(props: NoRowsProps): ReactNode {
  const { listState, icon, empty, createLabel, create, hasRows, clear } = props
  if (hasRows)
    return (
      <EmptyState
        icon={IconSearchOff}
        {...words.noMatch}
        action={
          <button type="button" className={planning.button} onClick={clear}>
            {words.clear}
          </button>
        }
      />
    )
  if (listState.error) return <Problem error={listState.error} retry={listState.retry} />
  if (!listState.isLoaded) return <Loading />
  return (
    <EmptyState
      icon={icon}
      {...empty}
      action={
        <button type="button" className={planning.button} onClick={create}>
          {createLabel}
        </button>
      }
    />
  )
}

/** Actions for the selected rows, below the table while there are any. */
function PickedRows({ commands }: { commands: readonly CommandId[] }) {
  const picked = usePicked()
  if (picked.size === 0) return null
  return (
    <div className={styles.picked} role="toolbar" aria-label={t.tasks.pickedLabel}>
      <span role="status">{words.picked(picked.size)}</span>
      {commands.map((command) => (
        <button
          key={command}
          type="button"
          className={planning.button}
          data-plain
          onClick={() => runCommand(command)}
        >
          {t.keys.commands[command]} <KeyCombo command={command} />
        </button>
      ))}
    </div>
  )
}

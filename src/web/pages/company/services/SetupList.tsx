import { useDocumentTitle } from '@mantine/hooks'
import { IconPlus, type Icon } from '@tabler/icons-react'
import { useRef, type ReactNode } from 'react'
import { runCommand, useCommands } from '../../../keys/commands.ts'
import { serviceTexts as words } from '../../../texts/en/company/services.ts'
import { t } from '../../../texts/index.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import planning from '../../planning/planning.module.css'
import contacts from '../contacts/contacts.module.css'
import { ResponseTabs } from '../ResponseTabs.tsx'
import styles from './services.module.css'

interface NamedRow {
  id: string
  name: string
}

interface SetupListProps<R extends NamedRow> {
  title: string
  createLabel: string
  query: { items: readonly R[]; isPending: boolean; error: Error | null; refetch: () => unknown }
  empty: { icon: Icon; title: string; text: string; prompt: string }
  pathOf: (row: R) => string
  facts: (row: R) => ReactNode
  create: () => void
  edit: (row: R) => void
  remove: (row: R) => void
}

/** Configuration for incident response, by name; each row can be edited and removed by keys. */
export function SetupList<R extends NamedRow>(props: SetupListProps<R>) {
  const { title, createLabel, query, empty, create, edit, remove } = props
  useDocumentTitle(`${title} – ${t.app.name}`)
  const list = useRef<HTMLUListElement>(null)
  useRowKeys(list)
  const focusedRow = () => {
    const row = document.activeElement?.closest<HTMLElement>('[data-item]')
    return query.items.find(({ id }) => id === row?.dataset.item)
  }
  const withFocusedRow = (run: (row: R) => void) => () => {
    const row = focusedRow()
    if (row) run(row)
    return row !== undefined
  }
  useCommands({
    'service.create': create,
    'service.edit': withFocusedRow(edit),
    'service.delete': withFocusedRow(remove),
  })
  const button = (
    <button type="button" className={planning.primary} onClick={() => runCommand('service.create')}>
      <IconPlus size={15} stroke={2} aria-hidden />
      {createLabel}
    </button>
  )
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={contacts.hidden}>{title}</h1>
        <ResponseTabs />
        <span className={planning.spring} />
        {button}
      </header>
      {query.error && <Problem error={query.error} retry={() => void query.refetch()} />}
      {query.isPending && <Loading />}
      {!query.isPending && !query.error && query.items.length === 0 && (
        <div className={planning.padded}>
          <EmptyState {...empty} />
        </div>
      )}
      <ul ref={list} className={styles.list}>
        {query.items.map((row) => (
          <Row key={row.id} row={row} {...props} />
        ))}
      </ul>
    </div>
  )
}

type RowProps<R extends NamedRow> = SetupListProps<R> & { row: R }

function Row<R extends NamedRow>({ row, pathOf, facts, edit, remove }: RowProps<R>) {
  return (
    <li className={styles.row} data-item={row.id}>
      <AppLink to={pathOf(row)} className={styles.name} data-row dir="auto">
        {row.name}
      </AppLink>
      <span className={styles.facts}>{facts(row)}</span>
      <button type="button" className={planning.button} data-plain onClick={() => edit(row)}>
        {words.edit}
      </button>
      <button type="button" className={planning.button} data-plain onClick={() => remove(row)}>
        {words.remove}
      </button>
    </li>
  )
}

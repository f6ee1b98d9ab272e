import { useDocumentTitle } from '@mantine/hooks'
import { IconGavel } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useList } from '../../../api/queries.ts'
import { useCommands } from '../../../keys/commands.ts'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import { SearchField } from '../../company/SearchField.tsx'
import { useDebouncedQuery } from '../../company/sought.ts'
import planning from '../../planning/planning.module.css'
import { MeetingTabs } from '../MeetingTabs.tsx'
import { DecisionRows } from './DecisionRows.tsx'
import styles from './results.module.css'

const { decisions: words } = resultTexts

/** Decisions in all meetings and projects that the reader may see. */
export function DecisionList() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const [query, setQuery] = useState('')
  const [isReplacedShown, setReplacedShown] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLDivElement>(null)
  const searchQuery = useDebouncedQuery(query)
  const decisions = useList('list_decisions', {
    limit: 50,
    include_superseded: isReplacedShown,
    ...(searchQuery !== '' && { query: searchQuery }),
  })
  useRowKeys(list)
  useCommands({ 'view.filter': () => field.current?.focus() })
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={planning.hidden}>{words.title}</h1>
        <MeetingTabs />
        <SearchField field={field} label={words.search} query={query} setQuery={setQuery} />
        <button
          type="button"
          className={planning.button}
          aria-pressed={isReplacedShown}
          onClick={() => setReplacedShown(!isReplacedShown)}
        >
          {words.showSuperseded}
        </button>
      </header>
      <div ref={list} className={styles.padded}>
        <QueryContent query={decisions}>
          {() =>
            decisions.items.length === 0 ? (
              <EmptyState icon={IconGavel} {...words.empty} />
            ) : (
              <DecisionRows decisions={decisions.items} withMeeting />
            )
          }
        </QueryContent>
        <MoreButton query={decisions} />
      </div>
    </div>
  )
}

import { useDocumentTitle } from '@mantine/hooks'
import { IconPlus, IconUsers } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useList } from '../../api/queries.ts'
import { runCommand, useCommands } from '../../keys/commands.ts'
import { meetingTexts as words } from '../../texts/en/company/meetings.ts'
import { t } from '../../texts/index.ts'
import { MoreButton } from '../../ui/actions/MoreButton.tsx'
import { Dialog } from '../../ui/Dialog.tsx'
import { EmptyState, QueryContent } from '../../ui/states.tsx'
import { dayOf } from '../../ui/work/days.ts'
import { useRowKeys } from '../../ui/work/row-keys.ts'
import { SearchField } from '../company/SearchField.tsx'
import { useDebouncedQuery } from '../company/sought.ts'
import { CommandButton } from '../planning/CommandButton.tsx'
import planning from '../planning/planning.module.css'
import { exportMeetings } from './export.ts'
import { MeetingForm } from './MeetingForm.tsx'
import { MeetingRow } from './MeetingRow.tsx'
import { MeetingTabs } from './MeetingTabs.tsx'
import styles from './meetings.module.css'

type Period = 'upcoming' | 'past'

/** Readable meetings: from today on, next first, and past ones; a search covers all. */
function useMeetings(period: Period, query: string) {
  const [today] = useState(() => new Date(`${dayOf()}T00:00`).toISOString())
  const searchQuery = useDebouncedQuery(query)
  const dateFilter = period === 'upcoming' ? { after: today } : { before: today }
  const meetings = useList('list_meetings', {
    limit: 100,
    ...(searchQuery === '' ? dateFilter : { query: searchQuery }),
  })
  const isUpcoming = searchQuery === '' && period === 'upcoming'
  return {
    meetingsQuery: meetings,
    within: dateFilter,
    isSearching: searchQuery !== '',
    rows: isUpcoming ? meetings.items.toReversed() : meetings.items,
    empty: searchQuery === '' ? words.empty[period] : words.empty.found,
  }
}

/** Meetings: upcoming and past ones, with their missing parts. */
export function Meetings() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const [period, setPeriod] = useState<Period>('upcoming')
  const [query, setQuery] = useState('')
  const [isCreating, setCreating] = useState(false)
  const field = useRef<HTMLInputElement>(null)
  const list = useRef<HTMLUListElement>(null)
  const { meetingsQuery, within: dateFilter, rows, empty, isSearching } = useMeetings(period, query)
  useRowKeys(list)
  useCommands({
    'meeting.create': () => setCreating(true),
    'meeting.upcoming': () => setPeriod('upcoming'),
    'meeting.past': () => setPeriod('past'),
    'meeting.export': () => void exportMeetings(dateFilter),
    'view.filter': () => field.current?.focus(),
  })
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={planning.hidden}>{words.title}</h1>
        <MeetingTabs />
        <SearchField field={field} label={words.search} query={query} setQuery={setQuery} />
        <button
          type="button"
          className={planning.primary}
          onClick={() => runCommand('meeting.create')}
        >
          <IconPlus size={15} stroke={2} aria-hidden />
          {words.create}
        </button>
      </header>
      <div className={planning.tools}>
        {(['upcoming', 'past'] as const).map((option) => (
          <button
            key={option}
            type="button"
            className={planning.button}
            aria-pressed={!isSearching && period === option}
            onClick={() => setPeriod(option)}
          >
            {words[option]}
          </button>
        ))}
        <CommandButton command="meeting.export" />
      </div>
      <QueryContent query={meetingsQuery}>
        {() =>
          rows.length === 0 ? (
            <div className={planning.padded}>
              <EmptyState icon={IconUsers} {...empty} />
            </div>
          ) : (
            <ul ref={list} className={styles.list}>
              {rows.map((meeting) => (
                <MeetingRow key={meeting.id} meeting={meeting} />
              ))}
            </ul>
          )
        }
      </QueryContent>
      <MoreButton query={meetingsQuery} />
      <Dialog isOpen={isCreating} close={() => setCreating(false)} title={words.create} isWide>
        <MeetingForm meeting={undefined} close={() => setCreating(false)} />
      </Dialog>
    </div>
  )
}

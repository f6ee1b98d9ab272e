import { useDocumentTitle } from '@mantine/hooks'
import { IconCheckbox } from '@tabler/icons-react'
import { useRef, useState } from 'react'
import { useList } from '../../../api/queries.ts'
import { resultTexts } from '../../../texts/en/company/meeting-results.ts'
import { t } from '../../../texts/index.ts'
import { MoreButton } from '../../../ui/actions/MoreButton.tsx'
import { EmptyState, QueryContent } from '../../../ui/states.tsx'
import { useRowKeys } from '../../../ui/work/row-keys.ts'
import planning from '../../planning/planning.module.css'
import { MeetingTabs } from '../MeetingTabs.tsx'
import { ActionRows, CreateTasksButton, usePickedActions } from './ActionRows.tsx'
import styles from './results.module.css'

const { actions: words } = resultTexts
const filters = ['open', 'task_created', 'all'] as const

/** Action items of all meetings that the reader may see, to be turned into tasks. */
export function ActionList() {
  useDocumentTitle(`${words.title} – ${t.app.name}`)
  const [filter, setFilter] = useState<(typeof filters)[number]>('open')
  const [isMine, setMine] = useState(false)
  const list = useRef<HTMLDivElement>(null)
  const actionItems = useList('list_action_items', {
    limit: 100,
    ...(filter !== 'all' && { status: [filter] }),
    ...(isMine && { owner: 'me' }),
  })
  const actions = usePickedActions(actionItems.items)
  useRowKeys(list)
  return (
    <div className={planning.screen}>
      <header className={planning.bar}>
        <h1 className={planning.hidden}>{words.title}</h1>
        <MeetingTabs />
        <span className={planning.spring} />
        <CreateTasksButton actions={actions} />
      </header>
      <div className={planning.tools}>
        {filters.map((name) => (
          <button
            key={name}
            type="button"
            className={planning.button}
            aria-pressed={filter === name}
            onClick={() => setFilter(name)}
          >
            {words.filters[name]}
          </button>
        ))}
        <button
          type="button"
          className={planning.button}
          aria-pressed={isMine}
          onClick={() => setMine(!isMine)}
        >
          {words.mine}
        </button>
      </div>
      <div ref={list} className={styles.padded}>
        <QueryContent query={actionItems}>
          {() =>
            actionItems.items.length === 0 ? (
              <EmptyState icon={IconCheckbox} {...words.empty} />
            ) : (
              <ActionRows items={actionItems.items} actions={actions} withMeeting />
            )
          }
        </QueryContent>
        <MoreButton query={actionItems} />
      </div>
    </div>
  )
}

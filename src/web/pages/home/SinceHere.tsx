import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { get } from '../../api/client.ts'
import { useStream } from '../../api/live.ts'
import { useCommands } from '../../keys/commands.ts'
import { screenCall, useScreen } from '../../store/index.ts'
import { t } from '../../texts/index.ts'
import { AppLink } from '../../ui/AppLink.tsx'
import { ItemLink } from '../../ui/ItemLink.tsx'
import { QueryContent } from '../../ui/states.tsx'
import { Ago } from '../../ui/times.tsx'
import { Face } from '../../ui/work/Who.tsx'
import { describeCall, type ApiCall } from '../activity/calls/calls.ts'
import { UndoDialog } from '../activity/calls/UndoDialog.tsx'
import styles from './day.module.css'
import { DaySection } from './DaySection.tsx'

const maxCalls = 100
const maxShown = 5

/** Changes by the reader's assistants since the last visit, each with undo. */
export function ChangesSinceVisit() {
  const digestQuery = useScreen('since-here', [screenCall('get_digest', { kinds: ['approvals'] })])
  return (
    <QueryContent query={digestQuery}>
      {([digest]) => digest.value && <Changes since={digest.value.since} />}
    </QueryContent>
  )
}

function Changes({ since }: { since: string }) {
  const { calls, refetch } = useChangesSince(since)
  const [callToUndo, setCallToUndo] = useState<ApiCall>()
  useCommands({
    'activity.undo': () => {
      const id = document.activeElement?.closest<HTMLElement>('[data-call]')?.dataset.call
      const call = calls.find((other) => other.id === id && other.undo === 'possible')
      return call ? setCallToUndo(call) : false
    },
  })
  const groups = [...Map.groupBy(calls, (call) => call.key.id)]
  const { since: text } = t.home
  return (
    <DaySection title={text.title} more={<AppLink to="/activity">{text.all}</AppLink>}>
      <p className={styles.none}>
        {text.from} <Ago time={since} />:{' '}
        {groups.length > 0 ? text.count(groups.length, calls.length) : text.none}
      </p>
      {groups.map(([id, assistantCalls]) => (
        <AssistantChanges key={id} calls={assistantCalls} undo={setCallToUndo} />
      ))}
      <UndoDialog
        call={callToUndo}
        close={() => {
          setCallToUndo(undefined)
          void refetch()
        }}
      />
    </DaySection>
  )
}

/** The changes of the reader's keys, latest first, with live updates. */
function useChangesSince(since: string) {
  const { data, refetch } = useQuery({
    queryKey: ['since-here', since],
    queryFn: async ({ signal }) => {
      const kinds = ['write', 'destructive'] as const
      const filter = { source: 'keys', status: 'ok', after: since, limit: maxCalls } as const
      const pages = await Promise.all(
        kinds.map((kind) => get('/web/activity', { ...filter, kind }, signal)),
      )
      return pages.flatMap((page) => page.items).toSorted((a, b) => (a.at < b.at ? 1 : -1))
    },
  })
  const refetchChanges = () => void refetch()
  useStream(
    '/web/activity/stream',
    'call',
    (call) => {
      if ((call as ApiCall).kind !== 'read') refetchChanges()
    },
    refetchChanges,
  )
  return { calls: data ?? [], refetch }
}

interface AssistantChangesProps {
  calls: readonly ApiCall[]
  undo: (call: ApiCall) => void
}

/** One assistant: its number of changes, and the latest ones. */
function AssistantChanges({ calls, undo }: AssistantChangesProps) {
  const [first] = calls
  if (!first) return null
  const { key } = first
  const items = new Set(calls.flatMap((call) => call.items.map((item) => item.id)))
  return (
    <div className={styles.assistant}>
      <header>
        <Face id={key.id} name={key.title} kind="assistant" size={20} />
        <strong dir="auto">{key.title}</strong>
        <span className={styles.note}>{t.home.since.changes(calls.length, items.size)}</span>
        <span className={styles.more}>
          <AppLink to={`/activity?key=${key.id}`}>{t.home.since.look}</AppLink>
        </span>
      </header>
      <ul className={styles.rows}>
        {calls.slice(0, maxShown).map((call) => (
          <li key={call.id}>
            <ChangeRow call={call} undo={undo} />
          </li>
        ))}
      </ul>
    </div>
  )
}

function ChangeRow({ call, undo }: { call: ApiCall; undo: (call: ApiCall) => void }) {
  const [item] = call.items
  const callText = describeCall(call)
  return (
    <div className={styles.change} data-row data-call={call.id} tabIndex={-1}>
      <span>{callText}</span>
      {item && <ItemLink item={item} />}
      <span className={styles.note}>
        <Ago time={call.at} />
      </span>
      {call.undo === 'possible' && (
        <button
          type="button"
          className={styles.small}
          aria-label={t.home.since.undoOf(callText)}
          onClick={() => undo(call)}
        >
          {t.app.sync.undo}
        </button>
      )}
    </div>
  )
}

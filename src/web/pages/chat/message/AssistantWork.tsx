import { useQuery } from '@tanstack/react-query'
import { lazy, Suspense, useState } from 'react'
import { get } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { ItemLink } from '../../../ui/ItemLink.tsx'
import { Problem } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import type { ApiCall } from '../../activity/calls/calls.ts'
import { valueText, visibleChanges } from '../../tasks/item/words.ts'
import { fetchAssistantWork, type AssistantChange } from '../data/assistant-work.ts'
import type { Message } from '../data/rows.ts'
import styles from './work.module.css'

const UndoDialog = lazy(() =>
  import('../../activity/calls/UndoDialog.tsx').then((module) => ({ default: module.UndoDialog })),
)

/** Changes that an assistant made before it wrote a message: collapsed at first. */
export function AssistantWork({ message }: { message: Message }) {
  const [isOpen, setOpen] = useState(false)
  return (
    <details
      className={styles.work}
      data-work
      onToggle={(event) => setOpen(event.currentTarget.open)}
    >
      <summary>{t.chat.work.title}</summary>
      {isOpen && <Changes message={message} />}
    </details>
  )
}

function Changes({ message }: { message: Message }) {
  const [callToUndo, setCallToUndo] = useState<ApiCall>()
  const { data, error, refetch } = useQuery({
    queryKey: ['assistant-work', message.id],
    queryFn: ({ signal }) => fetchAssistantWork(message, signal),
    staleTime: 0,
  })
  if (error) return <Problem error={error} retry={() => void refetch()} />
  if (!data) return <p className={styles.none}>{t.app.loading}</p>
  const { assistantName, changes } = data
  return (
    <>
      {assistantName !== undefined && (
        <p className={styles.none}>{t.chat.work.by(assistantName)}</p>
      )}
      {changes.length === 0 && <p className={styles.none}>{t.chat.work.none}</p>}
      <ol className={styles.changes}>
        {changes.map((change, n) => (
          <li key={change.id}>
            <ChangeLine
              change={change}
              isLastOfCall={changes.findIndex((other) => other.call_id === change.call_id) === n}
              undo={setCallToUndo}
            />
          </li>
        ))}
      </ol>
      {callToUndo && (
        <Suspense>
          <UndoDialog
            call={callToUndo}
            close={() => {
              setCallToUndo(undefined)
              void refetch()
            }}
          />
        </Suspense>
      )}
    </>
  )
}

interface ChangeLineProps {
  change: AssistantChange
  /** True for the topmost change of a call, which has the undo button: a call is undone as a whole. */
  isLastOfCall: boolean
  undo: (call: ApiCall) => void
}

function ChangeLine({ change, isLastOfCall, undo }: ChangeLineProps) {
  const fields = change.verb === 'updated' ? visibleChanges(change) : []
  const verb = t.items.word(change.verb)
  return (
    <>
      <span>
        {verb} <ItemLink item={change.item} />
        {fields.length > 0 && ': '}
        {fields.map(({ field, from, to }, n) => (
          <span key={field} dir="auto">
            {n > 0 && ', '}
            {t.tasks.changeOf(
              t.items.field(field),
              from === null ? undefined : valueText(field, from),
              valueText(field, to),
            )}
          </span>
        ))}{' '}
        <span className={styles.at}>
          <Ago time={change.at} />
        </span>
      </span>
      {isLastOfCall && <UndoButton change={change} undo={undo} />}
    </>
  )
}

function UndoButton({ change, undo }: Omit<ChangeLineProps, 'isLastOfCall'>) {
  const id = change.call_id
  const callQuery = useQuery({
    queryKey: ['undoable call', id],
    queryFn: ({ signal }) => get('/web/activity/calls/:id', { id: id ?? '' }, signal),
    enabled: false,
  })
  if (id === undefined) return null
  if (change.undo === 'done') return <span className={styles.at}>{t.chat.work.undone}</span>
  if (change.undo !== 'possible') return null
  const open = async () => {
    const { data } = await callQuery.refetch()
    if (data) undo(data)
  }
  return (
    <>
      <button
        type="button"
        className={styles.undo}
        aria-label={t.chat.work.undoOf(t.items.word(change.verb), change.item.title)}
        onClick={() => void open()}
      >
        {t.app.sync.undo}
      </button>
      {callQuery.error && <Problem error={callQuery.error} />}
    </>
  )
}

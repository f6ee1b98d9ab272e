import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call, get } from '../../../api/client.ts'
import { errorMessage } from '../../../api/problem.ts'
import { t } from '../../../texts/index.ts'
import { Dialog } from '../../../ui/Dialog.tsx'
import { Loading, Problem } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import { notify } from '../../../store/index.ts'
import { didWhat, type ApiCall } from '../../activity/calls/calls.ts'
import styles from '../tasks.module.css'
import { changedSince } from './changed.ts'

const text = t.tasks.undoChanges
const maxCalls = 100

/** Takes back what one's own assistants changed of tasks since then, call by call or all of it. */
export function UndoChanges({ since }: { since: string }) {
  const [isOpen, setOpen] = useState(false)
  const close = () => setOpen(false)
  return (
    <>
      <button type="button" className={styles.button} data-plain onClick={() => setOpen(true)}>
        {text.button}
      </button>
      <Dialog isOpen={isOpen} close={close} title={text.title}>
        <Calls since={changedSince(since)} close={close} />
      </Dialog>
    </>
  )
}

/** The calls that changed tasks and can be undone, the latest first: in this order they are undone. */
async function readCalls(since: string, signal: AbortSignal): Promise<ApiCall[]> {
  const filter = { source: 'keys', status: 'ok', after: since, limit: maxCalls } as const
  const kinds = ['write', 'destructive'] as const
  const pages = await Promise.all(
    kinds.map((kind) => get('/web/activity', { ...filter, kind }, signal)),
  )
  return pages
    .flatMap((page) => page.items)
    .filter(({ undo, items }) => undo === 'possible' && items.some(({ type }) => type === 'task'))
    .toSorted((a, b) => (a.at < b.at ? 1 : -1))
}

function Calls({ since, close }: { since: string; close: () => void }) {
  const [isUndoing, setUndoing] = useState(false)
  const found = useQuery({
    queryKey: ['undo-changes', since],
    queryFn: ({ signal }) => readCalls(since, signal),
    staleTime: 0,
    gcTime: 0,
  })
  if (found.error) return <Problem error={found.error} retry={() => void found.refetch()} />
  if (!found.data) return <Loading />
  const calls = found.data
  if (calls.length === 0) return <p className={styles.form}>{text.none}</p>
  const undo = async (some: readonly ApiCall[]) => {
    setUndoing(true)
    await undoCalls(some)
    if (some.length === calls.length) return close()
    await found.refetch()
    setUndoing(false)
  }
  return (
    <div className={styles.form}>
      <ul className={styles.calls}>
        {calls.map((done) => {
          const what = text.what(didWhat(done), done.items[0]?.title ?? '', done.items.length)
          return (
            <li key={done.id}>
              <span dir="auto">
                {done.key.title} · {what} · <Ago at={done.at} />
              </span>
              <button
                type="button"
                className={styles.button}
                data-plain
                aria-label={t.home.since.undoOf(what)}
                disabled={isUndoing}
                onClick={() => void undo([done])}
              >
                {t.app.sync.undo}
              </button>
            </li>
          )
        })}
      </ul>
      <button
        type="button"
        className={styles.primary}
        data-autofocus
        disabled={isUndoing}
        onClick={() => void undo(calls)}
      >
        {text.all(calls.length)}
      </button>
    </div>
  )
}

/** Undoes calls one after the other and says once how it went. */
async function undoCalls(calls: readonly ApiCall[]): Promise<void> {
  const problems: string[] = []
  for (const { id } of calls) {
    try {
      const { undone, refused } = await call('undo_api_call', { call_id: id })
      if (!undone) problems.push(refused.map((item) => item.message).join(' '))
    } catch (error) {
      problems.push(errorMessage(error))
    }
  }
  const done = calls.length - problems.length
  notify({
    text: done > 0 ? text.done(done) : text.failed(problems.length),
    ...(problems.length === 0
      ? {}
      : { problem: `${text.failed(problems.length)}. ${[...new Set(problems)].join(' ')}` }),
    seconds: problems.length === 0 ? 4 : 0,
    actions: [],
  })
}

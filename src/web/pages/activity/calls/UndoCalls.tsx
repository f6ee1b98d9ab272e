import { useQuery } from '@tanstack/react-query'
import { useState } from 'react'
import { call } from '../../../api/client.ts'
import { errorMessage } from '../../../api/problem.ts'
import { notify } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { Loading, Problem } from '../../../ui/states.tsx'
import { Ago } from '../../../ui/times.tsx'
import planning from '../../planning/planning.module.css'
import { describeCall, type ApiCall } from './calls.ts'
import styles from './undo-calls.module.css'

const text = t.tasks.undoChanges

/** Focuses the button when it mounts: the dialog opened before the calls were loaded. */
const takeFocus = (button: HTMLButtonElement | null) => button?.focus()

interface UndoCallsProps {
  /** Cache key of the calls while they are shown. */
  cacheKey: string
  /** Reads the calls that can be undone, latest first, which is the order of undoing. */
  fetchCalls: (signal: AbortSignal) => Promise<ApiCall[]>
  /** Text if there are none. */
  emptyText: string
  close: () => void
}

/** Calls that can be undone one by one or all at once. */
export function UndoCalls({ cacheKey, fetchCalls, emptyText, close }: UndoCallsProps) {
  const [isUndoing, setUndoing] = useState(false)
  const query = useQuery({
    queryKey: ['undo-calls', cacheKey],
    queryFn: ({ signal }) => fetchCalls(signal),
    staleTime: 0,
    gcTime: 0,
  })
  if (query.error) return <Problem error={query.error} retry={() => void query.refetch()} />
  if (!query.data) return <Loading />
  const calls = query.data
  if (calls.length === 0) return <p className={styles.body}>{emptyText}</p>
  const undo = async (batch: readonly ApiCall[]) => {
    setUndoing(true)
    await undoEach(batch)
    if (batch.length === calls.length) return close()
    await query.refetch()
    setUndoing(false)
  }
  return (
    <div className={styles.body}>
      <ul className={styles.calls}>
        {calls.map((apiCall) => (
          <CallLine
            key={apiCall.id}
            call={apiCall}
            isUndoing={isUndoing}
            undo={() => void undo([apiCall])}
          />
        ))}
      </ul>
      <button
        type="button"
        className={planning.primary}
        ref={takeFocus}
        disabled={isUndoing}
        onClick={() => void undo(calls)}
      >
        {text.all(calls.length)}
      </button>
    </div>
  )
}

interface CallLineProps {
  call: ApiCall
  isUndoing: boolean
  undo: () => void
}

function CallLine({ call: apiCall, isUndoing, undo }: CallLineProps) {
  const ownItems = apiCall.items.filter(({ type }) => apiCall.tool.includes(type))
  const items = ownItems.length > 0 ? ownItems : apiCall.items // the created task, not its project
  const description = text.what(describeCall(apiCall), items[0]?.title ?? '', items.length)
  return (
    <li>
      <span dir="auto">
        {apiCall.key.title !== '' && `${apiCall.key.title} · `}
        {description} · <Ago time={apiCall.at} />
      </span>
      <button
        type="button"
        className={planning.button}
        data-plain
        aria-label={t.home.since.undoOf(description)}
        disabled={isUndoing}
        onClick={undo}
      >
        {t.app.sync.undo}
      </button>
    </li>
  )
}

/** Undoes calls one by one, and reports the result once. */
async function undoEach(calls: readonly ApiCall[]): Promise<void> {
  const problems: string[] = []
  for (const { id } of calls) {
    try {
      const { undone, refused } = await call('undo_api_call', { call_id: id })
      if (!undone) problems.push(refused.map((item) => item.message).join(' '))
    } catch (error) {
      problems.push(errorMessage(error))
    }
  }
  const undoneCount = calls.length - problems.length
  notify({
    text: undoneCount > 0 ? text.done(undoneCount) : text.failed(problems.length),
    ...(problems.length === 0
      ? {}
      : { problem: `${text.failed(problems.length)}. ${[...new Set(problems)].join(' ')}` }),
    seconds: problems.length === 0 ? 4 : 0,
    actions: [],
  })
}

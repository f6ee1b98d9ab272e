import { useEffect, useReducer } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { useAllRowsOf, useListedRows } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { formatDuration } from './durations.ts'
import { isRunning, lineName, type EntryRow } from './sheet.ts'
import styles from './time.module.css'

/** The reader's running timer, with the elapsed time; undefined if there is none. */
export function useRunningTimer(): EntryRow | undefined {
  const { person } = useSignedIn()
  useListedRows('time_entry', { person_id: 'me', running: true })
  return useAllRowsOf('time_entry', isRunning).find((entry) => entry.person.id === person.id)
}

/** The running timer's time in the sidebar. */
export function RunningBadge() {
  const entry = useRunningTimer()
  if (!entry) return null
  const label = t.planning.time.running(lineName(entry))
  return (
    <span className={styles.badge} title={label}>
      <span className={styles.hidden}>{label} </span>
      <Elapsed since={entry.running_since} />
    </span>
  )
}

const refreshMs = 10_000

/** The time since a moment, formatted as 0:12. */
export function Elapsed({ since }: { since: string | undefined }) {
  const [, refresh] = useReducer((count: number) => count + 1, 0)
  useEffect(() => {
    const timer = setInterval(refresh, refreshMs)
    return () => clearInterval(timer)
  }, [])
  if (since === undefined) return null
  const minutes = Math.max(0, Math.floor((Date.now() - Date.parse(since)) / 60_000))
  return <span>{formatDuration(minutes) || '0:00'}</span>
}

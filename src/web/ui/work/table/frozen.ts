import { useCallback, useEffect, useRef, useState } from 'react'

/** Milliseconds after the last key until the list is sorted again. */
const quietMs = 3_000

interface Frozen<R> {
  /** The rows to display. */
  rows: readonly R[]
  isHeld: boolean
  /** Freezes the order of the rows until no key was pressed for a while. */
  hold: () => void
  release: () => void
}

/**
 * Rows in list order: while keys act on it, the previous rows, so that a changed row keeps its place and nothing
 * moves unexpectedly. Another view is sorted immediately.
 */
export function useFrozen<R>(rows: readonly R[], view: unknown): Frozen<R> {
  const [held, setHeld] = useState<{ rows: readonly R[]; view: unknown }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ rows, view })
  useEffect(() => {
    latest.current = { rows, view }
  })
  const release = useCallback(() => {
    clearTimeout(timer.current)
    setHeld(undefined)
  }, [])
  const hold = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(release, quietMs)
    setHeld((before) => (before?.view === latest.current.view ? before : latest.current))
  }, [release])
  useEffect(() => () => clearTimeout(timer.current), [])
  const frozenRows = held?.view === view ? held : undefined
  return { rows: frozenRows?.rows ?? rows, isHeld: frozenRows !== undefined, hold, release }
}

import { useCallback, useEffect, useRef, useState } from 'react'

/** Milliseconds after the last key until the list is sorted again. */
const quietMs = 3_000

interface Frozen<R> {
  /** The rows to arrange. */
  rows: readonly R[]
  isHeld: boolean
  /** Keeps the rows where they are from now on, until no key came for a while. */
  hold: () => void
  release: () => void
}

/**
 * The rows by which a list is arranged: while keys act on it, those of before, so that a row stays where it is although it now
 * belongs elsewhere, and nothing moves away under them. Another view is arranged at once.
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

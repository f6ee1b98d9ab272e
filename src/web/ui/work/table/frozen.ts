import { useCallback, useEffect, useRef, useState } from 'react'

/** Milliseconds after the last key until the list is sorted again. */
const resortDelayMs = 3_000

interface FrozenOrder<R> {
  /** The rows to display. */
  rows: readonly R[]
  isFrozen: boolean
  /** Freezes the order of the rows until no key was pressed for a while. */
  holdOrder: () => void
  releaseOrder: () => void
}

/**
 * Rows in list order: while keys act on it, the previous rows, so that a changed row keeps its place and nothing
 * moves unexpectedly. Another view is sorted immediately.
 */
export function useFrozenOrder<R>(rows: readonly R[], view: unknown): FrozenOrder<R> {
  const [frozen, setFrozen] = useState<{ rows: readonly R[]; view: unknown }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef({ rows, view })
  useEffect(() => {
    latest.current = { rows, view }
  })
  const releaseOrder = useCallback(() => {
    clearTimeout(timer.current)
    setFrozen(undefined)
  }, [])
  const holdOrder = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(releaseOrder, resortDelayMs)
    setFrozen((current) => (current?.view === latest.current.view ? current : latest.current))
  }, [releaseOrder])
  useEffect(() => () => clearTimeout(timer.current), [])
  const frozenRows = frozen?.view === view ? frozen : undefined
  return {
    rows: frozenRows?.rows ?? rows,
    isFrozen: frozenRows !== undefined,
    holdOrder,
    releaseOrder,
  }
}

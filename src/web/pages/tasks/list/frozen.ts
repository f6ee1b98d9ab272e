import { useCallback, useEffect, useRef, useState } from 'react'
import type { TaskRow } from '../data/rows.ts'
import type { TaskGroup } from './arrange.ts'

/** How long after the last key the list takes its order again. */
const quietMs = 3_000

interface Frozen {
  /** The rows to arrange. */
  rows: readonly TaskRow[]
  isHeld: boolean
  /** Keeps the rows where they are from now on, until no key came for a while. */
  hold: () => void
  release: () => void
}

/**
 * The rows by which a list is arranged: while keys act on it, those of before, so that a row stays where it is although it now
 * belongs elsewhere, and nothing moves away under them. Another view is arranged at once.
 */
export function useFrozen(rows: readonly TaskRow[], view: unknown): Frozen {
  const [held, setHeld] = useState<{ rows: readonly TaskRow[]; view: unknown }>()
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
  const kept = held?.view === view ? held : undefined
  return { rows: kept?.rows ?? rows, isHeld: kept !== undefined, hold, release }
}

/** Groups without the rows that are not among `rows` any more. */
export function withoutGone(
  groups: readonly TaskGroup[],
  rows: readonly TaskRow[],
): readonly TaskGroup[] {
  const there = new Set(rows.map((row) => row.id))
  if (groups.every(({ ids }) => ids.every((id) => there.has(id)))) return groups
  return groups.map((group) => ({ ...group, ids: group.ids.filter((id) => there.has(id)) }))
}

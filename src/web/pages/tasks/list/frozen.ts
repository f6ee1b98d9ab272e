import { useCallback, useEffect, useRef, useState } from 'react'
import { rowOf } from '../data/rows.ts'
import type { TaskGroup } from './arrange.ts'

/** How long after the last key the list takes its order again. */
const quietMs = 3_000

interface Frozen {
  shown: readonly TaskGroup[]
  /** Keeps the rows where they are from now on, until no key came for a while. */
  hold: () => void
  release: () => void
}

/**
 * The groups as they are to be shown: while keys act on the list, a row stays where it is although it now belongs elsewhere, so that
 * nothing moves away under them. Another view is shown at once.
 */
export function useFrozen(groups: readonly TaskGroup[], view: unknown): Frozen {
  const [held, setHeld] = useState<{ groups: readonly TaskGroup[]; view: unknown }>()
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const latest = useRef(groups)
  useEffect(() => {
    latest.current = groups
  })
  const release = useCallback(() => {
    clearTimeout(timer.current)
    setHeld(undefined)
  }, [])
  const hold = useCallback(() => {
    clearTimeout(timer.current)
    timer.current = setTimeout(release, quietMs)
    setHeld((before) => (before?.view === view ? before : { groups: latest.current, view }))
  }, [release, view])
  useEffect(() => () => clearTimeout(timer.current), [])
  if (!held || held.view !== view) return { shown: groups, hold, release }
  return { shown: withoutGone(held.groups), hold, release }
}

/** Rows that are not there any more are not kept. */
function withoutGone(groups: readonly TaskGroup[]): readonly TaskGroup[] {
  if (groups.every((group) => group.ids.every((id) => rowOf(id) !== undefined))) return groups
  return groups.map((group) => ({
    ...group,
    ids: group.ids.filter((id) => rowOf(id) !== undefined),
  }))
}

import { useEffect, useRef, useState } from 'react'

interface Cursor {
  id: string | undefined
  index: number
}

/**
 * The current entry. If it is removed, the next one takes its place; if an undo restores it, it becomes current
 * again.
 */
export function usePlace<Entry extends { id: string }>(entries: readonly Entry[]) {
  const [place, setPlace] = useState<Cursor>({ id: undefined, index: 0 })
  const acted = useRef<{ id: string; isGone: boolean }>(undefined)
  const position = entries.findIndex((entry) => entry.id === place.id)
  const index = position === -1 ? Math.min(place.index, entries.length - 1) : position
  const entry = entries[index]
  useEffect(() => {
    const last = acted.current
    const back = last ? entries.findIndex((other) => other.id === last.id) : -1
    if (last && back === -1) last.isGone = true
    else if (last?.isGone) {
      acted.current = undefined
      setPlace({ id: last.id, index: back })
      return
    }
    if (entry && (entry.id !== place.id || index !== place.index)) setPlace({ id: entry.id, index })
  }, [entries, entry, index, place])
  return {
    entry,
    index,
    go: (id: string) => setPlace({ id, index: entries.findIndex((other) => other.id === id) }),
    move: (step: number) => {
      const next = entries[Math.max(0, Math.min(entries.length - 1, index + step))]
      if (next) setPlace({ id: next.id, index: entries.indexOf(next) })
    },
    /** Remembers the affected entry, in case of an undo. */
    act: (id: string) => {
      acted.current = { id, isGone: false }
    },
  }
}

import { useEffect, useRef, useState } from 'react'

interface Cursor {
  id: string | undefined
  index: number
}

/**
 * The current entry. If it is removed, the next one takes its place; if an undo restores it, it becomes current
 * again.
 */
export function useListCursor<Entry extends { id: string }>(entries: readonly Entry[]) {
  const [cursor, setCursor] = useState<Cursor>({ id: undefined, index: 0 })
  const lastAction = useRef<{ id: string; isGone: boolean }>(undefined)
  const position = entries.findIndex((entry) => entry.id === cursor.id)
  const index = position === -1 ? Math.min(cursor.index, entries.length - 1) : position
  const entry = entries[index]
  useEffect(() => {
    const last = lastAction.current
    const restoredIndex = last ? entries.findIndex((other) => other.id === last.id) : -1
    if (last && restoredIndex === -1) last.isGone = true
    else if (last?.isGone) {
      lastAction.current = undefined
      setCursor({ id: last.id, index: restoredIndex })
      return
    }
    if (entry && (entry.id !== cursor.id || index !== cursor.index))
      setCursor({ id: entry.id, index })
  }, [entries, entry, index, cursor])
  return {
    entry,
    index,
    go: (id: string) => setCursor({ id, index: entries.findIndex((other) => other.id === id) }),
    move: (step: number) => {
      const next = entries[Math.max(0, Math.min(entries.length - 1, index + step))]
      if (next) setCursor({ id: next.id, index: entries.indexOf(next) })
    },
    /** Remembers the affected entry, in case of an undo. */
    act: (id: string) => {
      lastAction.current = { id, isGone: false }
    },
  }
}

import type { RefObject } from 'react'
import { useCommands } from '../../keys/commands.ts'

/** `j`, `k` and the arrows move the focus between the list elements with `data-row`. */
export function useRowKeys(list: RefObject<HTMLElement | null>): void {
  const move = (step: number) => () => {
    const rows = [...(list.current?.querySelectorAll<HTMLElement>('[data-row]') ?? [])]
    if (rows.length === 0) return false
    const index = rows.findIndex((row) => row.contains(document.activeElement))
    const nextIndex = index === -1 ? 0 : Math.min(rows.length - 1, Math.max(0, index + step))
    rows[nextIndex]?.focus()
    return true
  }
  useCommands({ 'list.next': move(1), 'list.previous': move(-1) })
}

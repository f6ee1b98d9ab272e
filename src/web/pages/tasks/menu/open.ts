import { useSyncExternalStore, type MouseEvent } from 'react'
import { selection, setCursor } from '../../../ui/work/table/selection.ts'

let anchor: Element | undefined
const listeners = new Set<() => void>()

/** Opens the menu of the current row, or of the selected ones; undefined closes it. */
export function openRowMenu(element: Element | undefined): void {
  anchor = element
  for (const listener of listeners) listener()
}

/** Row menu by its button, by right click or by long touch. Links keep the browser's menu. */
export function openRowMenuFor(id: string, event: MouseEvent): void {
  const isButton = event.type === 'click'
  if (!isButton && event.target instanceof Element && event.target.closest('a')) return
  event.preventDefault()
  event.stopPropagation()
  const { pickedIds } = selection()
  if (!pickedIds.has(id)) setCursor(id)
  const row = event.currentTarget
  openRowMenu(isButton ? row : (row.querySelector('[data-anchor]') ?? row))
}

/** Anchor of the open row menu. */
export function useRowMenu(): Element | undefined {
  return useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => anchor,
  )
}

import { useEffect, useRef } from 'react'
import { isTyping } from '../../../keys/match.ts'
import { useCursor } from './selection.ts'

interface Lines {
  getVirtualItems: () => readonly { index: number; start: number; end: number }[]
  scrollElement: { scrollTop: number } | null
  scrollOffset: number | null
  scrollRect: { height: number } | null
  scrollToIndex: (index: number, options: { align: 'auto' }) => void
}

/** Scrolls a line into view; without measuring if it is already rendered. */
export function bringLine(lines: Lines, index: number): void {
  const item = lines.getVirtualItems().find((other) => other.index === index)
  const { scrollElement, scrollOffset: top, scrollRect } = lines
  if (!item || !scrollElement || top === null || !scrollRect)
    return lines.scrollToIndex(index, { align: 'auto' })
  const lowest = item.end - scrollRect.height
  if (item.start < top) scrollElement.scrollTop = item.start
  else if (lowest > top) scrollElement.scrollTop = lowest
}

/** Remeasures the lines if their heights change with the screen width. */
export function useMeasuredAgain(rows: { measure: () => void }, isNarrow: boolean): void {
  const measured = useRef(isNarrow)
  useEffect(() => {
    if (measured.current !== isNarrow) rows.measure()
    measured.current = isNarrow
  }, [rows, isNarrow])
}

interface Following {
  /** Lines of the list; those that are not rows have no id. */
  lines: readonly ({ id: string } | object)[]
  bring: (index: number) => void
  /** Finds the element of a row that takes the focus. */
  find: (id: string) => HTMLElement | null
}

/** Keeps the current element visible, and focused if the list has the focus; `place` is the position in its line. */
export function useFollowCursor(following: Following, place?: string): void {
  const cursor = useCursor()
  const latest = useRef(following)
  useEffect(() => {
    latest.current = following
  })
  useEffect(() => {
    if (cursor === undefined) return
    const { lines, bring } = latest.current
    const index = lines.findIndex((line) => 'id' in line && line.id === cursor)
    if (index === -1) return
    bring(index)
    const frame = requestAnimationFrame(() => takeFocus(latest.current.find(cursor), place))
    return () => cancelAnimationFrame(frame)
  }, [cursor, place])
}

/** A field outside the rows keeps the focus: a key pressed meanwhile may have moved there. */
function isInOtherField(active: Element | null): boolean {
  return isTyping(active) && active?.closest('[role="grid"]') === null
}

/** Focuses the current element if the list has the focus; `place` is the position in its line. */
export function takeFocus(node: HTMLElement | null, place?: string): void {
  const active = document.activeElement
  const isInList = active === document.body || active?.closest('main') !== null
  if (!node || !isInList || isInOtherField(active)) return
  if (!node.contains(active)) node.focus({ preventScroll: true })
  if (place !== undefined) node.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

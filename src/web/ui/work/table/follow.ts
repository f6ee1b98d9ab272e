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

/** Scrolls a line into view; for one that is drawn already that costs no measuring. */
export function bringLine(lines: Lines, index: number): void {
  const item = lines.getVirtualItems().find((other) => other.index === index)
  const { scrollElement, scrollOffset: top, scrollRect } = lines
  if (!item || !scrollElement || top === null || !scrollRect)
    return lines.scrollToIndex(index, { align: 'auto' })
  const lowest = item.end - scrollRect.height
  if (item.start < top) scrollElement.scrollTop = item.start
  else if (lowest > top) scrollElement.scrollTop = lowest
}

/** Measures the lines again where their heights change with the width of the screen. */
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

/** Keeps what one is at visible, and the focus on it where the list has the focus; `place` is where in its line one is. */
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

/** A field outside of the rows keeps the focus: a key that came meanwhile may have led into it. */
function isInOtherField(active: Element | null): boolean {
  return isTyping(active) && active?.closest('[role="grid"]') === null
}

/** Gives what one is at the focus, where the list has it; `place` is where in its line one is. */
export function takeFocus(node: HTMLElement | null, place?: string): void {
  const active = document.activeElement
  const isInList = active === document.body || active?.closest('main') !== null
  if (!node || !isInList || isInOtherField(active)) return
  if (!node.contains(active)) node.focus({ preventScroll: true })
  if (place !== undefined) node.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

import { useEffect, useRef } from 'react'
import { isTypingTarget } from '../../../keys/match.ts'
import { useCursor } from './selection.ts'

interface VirtualList {
  getVirtualItems: () => readonly { index: number; start: number; end: number }[]
  scrollElement: { scrollTop: number } | null
  scrollOffset: number | null
  scrollRect: { height: number } | null
  scrollToIndex: (index: number, options: { align: 'auto' }) => void
}

/** Scrolls a line into view; without measuring if it is already rendered. */
export function scrollToLine(list: VirtualList, index: number): void {
  const item = list.getVirtualItems().find((other) => other.index === index)
  const { scrollElement, scrollOffset: scrollTop, scrollRect } = list
  if (!item || !scrollElement || scrollTop === null || !scrollRect)
    return list.scrollToIndex(index, { align: 'auto' })
  const minScrollTop = item.end - scrollRect.height
  if (item.start < scrollTop) scrollElement.scrollTop = item.start
  else if (minScrollTop > scrollTop) scrollElement.scrollTop = minScrollTop
}

/** Remeasures the lines if their heights change with the screen width. */
export function useRemeasure(virtualizer: { measure: () => void }, isNarrow: boolean): void {
  const wasNarrow = useRef(isNarrow)
  useEffect(() => {
    if (wasNarrow.current !== isNarrow) virtualizer.measure()
    wasNarrow.current = isNarrow
  }, [virtualizer, isNarrow])
}

interface FollowOptions {
  /** Lines of the list; those that are not rows have no id. */
  lines: readonly ({ id: string } | object)[]
  scrollTo: (index: number) => void
  /** Finds the element of a row that takes the focus. */
  findElement: (id: string) => HTMLElement | null
}

/** Keeps the current element visible, and focused if the list has the focus; `column` is its column in the line. */
export function useFollowCursor(options: FollowOptions, column?: string): void {
  const cursor = useCursor()
  const latest = useRef(options)
  useEffect(() => {
    latest.current = options
  })
  useEffect(() => {
    if (cursor === undefined) return
    const { lines, scrollTo } = latest.current
    const index = lines.findIndex((line) => 'id' in line && line.id === cursor)
    if (index === -1) return
    scrollTo(index)
    const frame = requestAnimationFrame(() => takeFocus(latest.current.findElement(cursor), column))
    return () => cancelAnimationFrame(frame)
  }, [cursor, column])
}

/** A field outside the rows keeps the focus: a key pressed meanwhile may have moved there. */
function isInOtherField(active: Element | null): boolean {
  return isTypingTarget(active) && active?.closest('[role="grid"]') === null
}

/** Focuses the current element if the list has the focus; `column` is its column in the line. */
export function takeFocus(node: HTMLElement | null, column?: string): void {
  const active = document.activeElement
  const isInList = active === document.body || active?.closest('main') !== null
  if (!node || !isInList || isInOtherField(active)) return
  if (!node.contains(active)) node.focus({ preventScroll: true })
  if (column !== undefined) node.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

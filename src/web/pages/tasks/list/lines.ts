import { useEffect, useMemo, useRef, useState } from 'react'
import type { TaskGroup } from './arrange.ts'
import { setOrder, useCursor } from './selection.ts'

/** A line of a list of tasks: the head of a group, or a task. */
export type ListLine = { group: TaskGroup; isClosed: boolean } | { id: string }

/** The lines of groups, of which each can be closed. The tasks among them are what keys move through. */
export function useLines(groups: readonly TaskGroup[], withHeads: boolean) {
  const [closed, setClosed] = useState<ReadonlySet<string>>(new Set())
  const lines = useMemo(() => linesOf(groups, withHeads, closed), [groups, withHeads, closed])
  useEffect(() => setOrder(lines.flatMap((line) => ('id' in line ? [line.id] : []))), [lines])
  const toggle = (key: string) => {
    const next = new Set(closed)
    if (!next.delete(key)) next.add(key)
    setClosed(next)
  }
  return { lines, toggle }
}

function linesOf(
  groups: readonly TaskGroup[],
  withHeads: boolean,
  closed: ReadonlySet<string>,
): ListLine[] {
  return groups.flatMap((group): ListLine[] => {
    const isClosed = closed.has(group.key)
    const rows = isClosed ? [] : group.ids.map((id) => ({ id }))
    return withHeads ? [{ group, isClosed }, ...rows] : rows
  })
}

export const keyOfLine = (line: ListLine | undefined) =>
  line === undefined || 'id' in line ? (line?.id ?? '') : `group ${line.group.key}`

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
  lines: readonly ListLine[]
  bring: (index: number) => void
  /** What takes the focus of a task. */
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

function takeFocus(node: HTMLElement | null, place: string | undefined): void {
  const active = document.activeElement
  const isInList = active === document.body || active?.closest('main') !== null
  if (!node || !isInList) return
  if (!node.contains(active)) node.focus({ preventScroll: true })
  if (place !== undefined) node.scrollIntoView({ block: 'nearest', inline: 'nearest' })
}

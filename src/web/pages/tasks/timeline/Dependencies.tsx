import { useMemo } from 'react'
import { taskRowOf, useAllRows } from '../data/rows.ts'
import { isTooEarly, taskSpanOf } from './spans.ts'
import type { Scale } from './scale.ts'
import type { TimelineLine } from './lines.ts'
import styles from './timeline.module.css'

interface DependenciesProps {
  lines: readonly TimelineLine[]
  /** The rendered lines; dependencies without a rendered line are skipped. */
  first: number
  last: number
  scale: Scale
  lineHeight: number
}

interface Arrow {
  key: string
  path: string
  isLate: boolean
}

/** Arrows from the end of a task to the start of dependent tasks; red if those start too early. */
export function Dependencies({ lines, first, last, scale, lineHeight }: DependenciesProps) {
  const rows = useAllRows()
  const arrows = useMemo(
    () => (rows.length === 0 ? [] : arrowsOf({ lines, first, last, scale, lineHeight })),
    [rows, lines, first, last, scale, lineHeight],
  )
  return (
    <svg
      className={styles.arrows}
      width={scale.width}
      height={lines.length * lineHeight}
      aria-hidden
    >
      {arrows.map(({ key, path, isLate }) => (
        <path key={key} d={path} data-late={isLate || undefined} />
      ))}
    </svg>
  )
}

function arrowsOf({ lines, first, last, scale, lineHeight }: DependenciesProps): Arrow[] {
  const places = new Map(lines.map((line, index) => ['id' in line ? line.id : '', index]))
  const isDrawn = (index: number) => index >= first && index <= last
  return lines.flatMap((line, index) => {
    const row = 'id' in line ? taskRowOf(line.id) : undefined
    const to = row && taskSpanOf(row)
    if (!row || !to) return []
    return row.blocked_by.flatMap((blocker): Arrow[] => {
      const from = places.get(blocker.id)
      const other = taskRowOf(blocker.id)
      const span = other && taskSpanOf(other)
      if (from === undefined || !span || !(isDrawn(index) || isDrawn(from))) return []
      const start = {
        x: scale.x(span.to) + scale.dayWidth,
        y: (from + 0.5) * lineHeight,
      }
      const end = { x: scale.x(to.from), y: (index + 0.5) * lineHeight }
      return [
        {
          key: `${blocker.id} ${row.id}`,
          path: arrowPathOf(start, end),
          isLate: isTooEarly(span, to),
        },
      ]
    })
  })
}

interface Point {
  x: number
  y: number
}

/** Out to the right, down or up, and in from the left, with an arrowhead. */
function arrowPathOf(start: Point, end: Point): string {
  const out = start.x + 8
  const isAhead = end.x - 8 >= out
  const middle = (start.y + end.y) / 2
  const way = isAhead
    ? `H${out}V${end.y}H${end.x}`
    : `H${out}V${middle}H${end.x - 8}V${end.y}H${end.x}`
  return `M${start.x} ${start.y}${way}m-4 -3l4 3l-4 3`
}

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
  const lineIndexById = new Map(lines.map((line, index) => ['id' in line ? line.id : '', index]))
  const isRendered = (index: number) => index >= first && index <= last
  return lines.flatMap((line, index) => {
    const row = 'id' in line ? taskRowOf(line.id) : undefined
    const blockedSpan = row && taskSpanOf(row)
    if (!row || !blockedSpan) return []
    return row.blocked_by.flatMap((blocker): Arrow[] => {
      const blockerIndex = lineIndexById.get(blocker.id)
      const blockerRow = taskRowOf(blocker.id)
      const blockerSpan = blockerRow && taskSpanOf(blockerRow)
      if (
        blockerIndex === undefined ||
        !blockerSpan ||
        !(isRendered(index) || isRendered(blockerIndex))
      )
        return []
      const start = {
        x: scale.x(blockerSpan.to) + scale.dayWidth,
        y: (blockerIndex + 0.5) * lineHeight,
      }
      const end = { x: scale.x(blockedSpan.from), y: (index + 0.5) * lineHeight }
      return [
        {
          key: `${blocker.id} ${row.id}`,
          path: arrowPathOf(start, end),
          isLate: isTooEarly(blockerSpan, blockedSpan),
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
  const turnX = start.x + 8
  const isAhead = end.x - 8 >= turnX
  const middle = (start.y + end.y) / 2
  const segments = isAhead
    ? `H${turnX}V${end.y}H${end.x}`
    : `H${turnX}V${middle}H${end.x - 8}V${end.y}H${end.x}`
  return `M${start.x} ${start.y}${segments}m-4 -3l4 3l-4 3`
}

import { memo, useState, type MouseEvent, type PointerEvent } from 'react'
import { t } from '../../../texts/index.ts'
import { RowLink } from '../../../ui/AppLink.tsx'
import { relativeDay } from '../../../ui/work/days.ts'
import { GridCell, GridRow } from '../../../ui/work/grid.ts'
import { StatusIcon } from '../../../ui/work/states.tsx'
import { useRow, type TaskRow } from '../data/rows.ts'
import {
  setCursor,
  useIsCursor,
  useIsPicked,
  useIsTabStop,
} from '../../../ui/work/table/selection.ts'
import { isClosed } from '../data/due.ts'
import { setSpan } from './dates.ts'
import { shiftSpan, taskSpanOf, type BarEdge, type Span } from './spans.ts'
import type { Scale } from './scale.ts'
import styles from './timeline.module.css'

interface TimelineRowProps {
  id: string
  index: number
  scale: Scale
  open: (row: TaskRow) => void
}

/** A task with its bar. Without dates, a click on a day sets one. */
export const TimelineRow = memo(function TimelineRow({ id, index, scale, open }: TimelineRowProps) {
  const row = useRow(id)
  const isCursor = useIsCursor(id)
  const isTabStop = useIsTabStop(id)
  const isPicked = useIsPicked(id)
  if (!row) return null
  const span = taskSpanOf(row)
  const schedule = (event: MouseEvent<HTMLElement>) => {
    if (span) return
    const day = scale.dayAt(event.clientX - event.currentTarget.getBoundingClientRect().left)
    setSpan(row, { from: day, to: day })
  }
  return (
    <GridRow
      aria-rowindex={index}
      aria-selected={isPicked}
      data-task={id}
      data-cursor={isCursor || undefined}
      tabIndex={isTabStop ? 0 : -1}
      className={styles.row}
      onFocus={() => setCursor(id)}
    >
      <GridCell className={styles.name} data-anchor>
        <StatusIcon category={row.status_category} />
        <span className={styles.key}>{row.key}</span>
        <RowLink to={`/tasks/${row.key}`} tabIndex={-1} className={styles.title} dir="auto">
          {row.title}
        </RowLink>
      </GridCell>
      <GridCell
        className={styles.track}
        data-undated={!span || undefined}
        title={span ? undefined : t.tasks.timeline.schedule}
        onClick={schedule}
        style={{ width: scale.width }}
      >
        {span && <Bar row={row} span={span} scale={scale} open={open} />}
      </GridCell>
    </GridRow>
  )
})

interface BarProps {
  row: TaskRow
  span: Span
  scale: Scale
  open: (row: TaskRow) => void
}

interface DragState {
  edge: BarEdge
  startX: number
  days: number
}

/** Distance from its end within which a bar is dragged at that end, in pixels. */
const gripWidth = 7

function Bar({ row, span, scale, open }: BarProps) {
  const [drag, setDrag] = useState<DragState>()
  const visibleSpan = drag ? shiftSpan(span, drag.edge, drag.days) : span
  const left = scale.x(visibleSpan.from)
  const width = scale.x(visibleSpan.to) - left + scale.dayWidth
  const onPointerDown = (event: PointerEvent<HTMLElement>) => {
    if (event.button !== 0) return
    event.currentTarget.setPointerCapture(event.pointerId)
    setCursor(row.id)
    setDrag({ edge: edgeAt(event), startX: event.clientX, days: 0 })
  }
  const onPointerMove = (event: PointerEvent) => {
    if (drag) setDrag({ ...drag, days: Math.round((event.clientX - drag.startX) / scale.dayWidth) })
  }
  const onPointerUp = () => {
    setDrag(undefined)
    if (!drag) return
    if (drag.days === 0) open(row)
    else setSpan(row, visibleSpan)
  }
  return (
    <span
      className={styles.bar}
      data-category={row.status_category}
      data-blocked={(row.blocked && !isClosed(row.status_category)) || undefined}
      data-dragged={drag !== undefined || undefined}
      style={{ left, width }}
      onPointerDown={onPointerDown}
      onPointerMove={onPointerMove}
      onPointerUp={onPointerUp}
      onPointerCancel={() => setDrag(undefined)}
    >
      <span className={styles.barText} dir="auto">
        {row.title}
      </span>
      <span className={styles.hidden}>
        {t.tasks.timeline.days(relativeDay(visibleSpan.from), relativeDay(visibleSpan.to))}
      </span>
      {drag && drag.days !== 0 && (
        <span className={styles.hint}>
          {t.tasks.timeline.days(relativeDay(visibleSpan.from), relativeDay(visibleSpan.to))}
        </span>
      )}
    </span>
  )
}

function edgeAt(event: PointerEvent<HTMLElement>): BarEdge {
  const { left, right } = event.currentTarget.getBoundingClientRect()
  if (right - left < 3 * gripWidth) return event.clientX > right - gripWidth ? 'to' : 'both'
  if (event.clientX < left + gripWidth) return 'from'
  return event.clientX > right - gripWidth ? 'to' : 'both'
}

import { useMediaQuery } from '@mantine/hooks'
import { useVirtualizer } from '@tanstack/react-virtual'
import { useCallback, useEffect, useLayoutEffect, useMemo, useRef, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { t } from '../../../texts/index.ts'
import { dayOf } from '../../../ui/work/days.ts'
import { GridCell, GridRoot, GridRow } from '../../../ui/work/grid.ts'
import { taskRowOf, useAllRows, type TaskRow } from '../data/rows.ts'
import type { TaskGroup } from '../list/arrange.ts'
import { GroupMark, groupName } from '../list/GroupMark.tsx'
import { takeFocus } from '../../../ui/work/table/follow.ts'
import { setOrder, useCursor } from '../../../ui/work/table/selection.ts'
import { rangeOf, taskSpanOf } from './spans.ts'
import { Dependencies } from './Dependencies.tsx'
import { TimelineHead } from './Head.tsx'
import type { TimelineLine } from './lines.ts'
import { scaleOf, zooms, type Scale, type Zoom } from './scale.ts'
import { TimelineRow } from './TimelineRow.tsx'
import styles from './timeline.module.css'
import { useBarCommands } from './useBarCommands.ts'

/** The height of a line in pixels. */
const lineHeight = 36

interface TimelineProps {
  groups: readonly TaskGroup[]
  withHeads: boolean
  open: (row: TaskRow) => void
}

/** Tasks as bars over days, with dependency arrows. Renders only visible ones. */
export function Timeline({ groups, withHeads, open }: TimelineProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const [zoom, setZoom] = useState<Zoom>('month')
  const isNarrow = useMediaQuery('(max-width: 48em)', false, { getInitialValueInEffect: false })
  const nameWidth = isNarrow ? 130 : 280
  const today = dayOf()
  const lines = useMemo(() => timelineLinesOf(groups, withHeads), [groups, withHeads])
  const scale = useScale(lines, zoom, today)
  useEffect(() => setOrder(lines.flatMap((line) => ('id' in line ? [line.id] : []))), [lines])
  const virtualizer = useVirtualizer({
    count: lines.length,
    getScrollElement: () => scroller.current,
    estimateSize: () => lineHeight,
    overscan: 10,
  })
  const scrollToToday = useCallback(() => {
    const node = scroller.current
    if (node) node.scrollLeft = scale.x(today) - (node.clientWidth - nameWidth) / 4
  }, [scale, today, nameWidth])
  useLayoutEffect(scrollToToday, [scrollToToday])
  useFollowCursor(lines, (index) => virtualizer.scrollToIndex(index, { align: 'auto' }))
  useBarCommands()
  useCommands({
    'timeline.zoom': () => setZoom(nextZoomOf(zoom)),
    'timeline.today': scrollToToday,
  })
  const visibleItems = virtualizer.getVirtualItems()
  return (
    <div
      ref={scroller}
      className={styles.scroller}
      style={{ '--name-width': `${nameWidth}px`, '--day': `${scale.dayWidth}px` } as object}
    >
      <TimelineHead {...{ scale, zoom, setZoom, today, scrollToToday }} />
      <GridRoot
        aria-label={t.tasks.layouts.timeline}
        aria-rowcount={lines.length}
        className={styles.grid}
        style={{ width: nameWidth + scale.width, height: virtualizer.getTotalSize() }}
      >
        {visibleItems.map(({ key, index, start }) => (
          <div
            key={key}
            role="presentation"
            className={styles.line}
            style={{ transform: `translateY(${start}px)` }}
          >
            <TimelineLineRow line={lines[index]} index={index + 1} scale={scale} open={open} />
          </div>
        ))}
      </GridRoot>
      <Dependencies
        lines={lines}
        first={visibleItems[0]?.index ?? 0}
        last={visibleItems.at(-1)?.index ?? 0}
        scale={scale}
        lineHeight={lineHeight}
      />
    </div>
  )
}

function GroupLine({ group, index }: { group: TaskGroup; index: number }) {
  return (
    <GridRow aria-rowindex={index} className={styles.head}>
      <GridCell className={styles.headCell}>
        <GroupMark group={group} />
        <span dir="auto">{groupName(group)}</span>
        <span className={styles.count}>{group.ids.length}</span>
      </GridCell>
    </GridRow>
  )
}

const nextZoomOf = (zoom: Zoom): Zoom => zooms[(zooms.indexOf(zoom) + 1) % zooms.length] ?? 'month'

function timelineLinesOf(groups: readonly TaskGroup[], withHeads: boolean): TimelineLine[] {
  return groups.flatMap((group): TimelineLine[] => {
    const rows = group.ids.map((id) => ({ id }))
    return withHeads ? [{ group }, ...rows] : rows
  })
}

/** The range only grows while the timeline is open: moving a bar must not move all others. */
function useScale(lines: readonly TimelineLine[], zoom: Zoom, today: string) {
  const rows = useAllRows()
  const range = useMemo(() => {
    if (rows.length === 0) return rangeOf([], today)
    const spans = lines.flatMap((line) => {
      const row = 'id' in line ? taskRowOf(line.id) : undefined
      const span = row && taskSpanOf(row)
      return span ? [span] : []
    })
    return rangeOf(spans, today)
  }, [lines, rows, today])
  const { from, to } = range
  return useMemo(() => scaleOf({ from, to }, zoom), [from, to, zoom])
}

/** Scrolls the current row into view, and focuses it if the list has the focus. */
function useFollowCursor(lines: readonly TimelineLine[], scrollTo: (index: number) => void): void {
  const cursor = useCursor()
  const latest = useRef({ lines, bring: scrollTo })
  useEffect(() => {
    latest.current = { lines, bring: scrollTo }
  })
  useEffect(() => {
    if (cursor === undefined) return
    const index = latest.current.lines.findIndex((line) => 'id' in line && line.id === cursor)
    if (index === -1) return
    latest.current.bring(index)
    const frame = requestAnimationFrame(() => {
      takeFocus(document.querySelector<HTMLElement>(`[data-task="${cursor}"]`))
    })
    return () => cancelAnimationFrame(frame)
  }, [cursor])
}

interface LineRowProps {
  line: TimelineLine | undefined
  /** From 1, as in grid rows. */
  index: number
  scale: Scale
  open: (row: TaskRow) => void
}

function TimelineLineRow({ line, index, scale, open }: LineRowProps) {
  if (!line) return null
  if ('id' in line) return <TimelineRow id={line.id} index={index} scale={scale} open={open} />
  return <GroupLine group={line.group} index={index} />
}

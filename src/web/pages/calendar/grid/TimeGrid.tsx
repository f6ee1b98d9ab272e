import { useEffect, useLayoutEffect, useMemo, useRef, type CSSProperties } from 'react'
import { dayTitle } from '../data/spans.ts'
import { firstDay, isLong, isOnDays, partOn, type DayPart, type EventRow } from '../data/events.ts'
import { placeLanes, placeParts, type PlacedPart } from '../data/layout.ts'
import { minuteOf } from '../data/wall.ts'
import { calendarTexts as t } from '../texts.ts'
import { useTaskDrop } from '../tasks/drag.ts'
import { BusyParts } from './BusyParts.tsx'
import { GridContext, useGrid } from './context.ts'
import { DayHeads } from './DayHeads.tsx'
import { useDrag, type DraggedEvent } from './drag.ts'
import { EventButton } from './EventButton.tsx'
import { HourLabels } from './HourLabels.tsx'
import styles from './grid.module.css'
import { useDraw } from './useDraw.ts'

/** Pixels per hour; the same as in the style sheet. */
const hourHeightPx = 48
/** First visible hour on opening. */
const firstHour = 7

interface TimeGridProps {
  days: readonly string[]
  events: readonly EventRow[]
  zones: readonly string[]
}

/** Days side by side, with their hours; multi-day events above. */
export function TimeGrid({ days, events, zones }: TimeGridProps) {
  const grid = useGrid()
  const columns = useRef<HTMLDivElement>(null)
  const { dragged, grab, wasDrag } = useDrag(columns, hourHeightPx, days.length)
  const scroller = useVisibleHours(days)
  const state = useMemo(
    () => ({
      ...grid,
      grab,
      open: (row: EventRow) => {
        if (!wasDrag()) grid.open(row)
      },
    }),
    [grid, grab, wasDrag],
  )
  const sizes = { '--days': days.length, '--zones': zones.length } as CSSProperties
  return (
    <GridContext value={state}>
      <section
        ref={scroller}
        className={styles.scroller}
        aria-label={t.calendar.hours}
        tabIndex={-1}
        style={sizes}
      >
        <div className={styles.top}>
          <DayHeads days={days} toDay={grid.toDay} />
          <Lanes days={days} events={events} />
        </div>
        <div className={styles.hours}>
          <HourLabels
            zones={zones}
            day={days.includes(grid.cursorDay) ? grid.cursorDay : (days[0] ?? grid.cursorDay)}
          />
          <div ref={columns} className={styles.columns}>
            {days.map((day) => (
              <DayColumn key={day} day={day} events={events} dragged={dragged} />
            ))}
          </div>
        </div>
      </section>
    </GridContext>
  )
}

/** Scrolls to working hours, once per displayed period; earlier hours remain reachable by scrolling. */
function useVisibleHours(days: readonly string[]) {
  const scroller = useRef<HTMLElement>(null)
  const first = days[0]
  useLayoutEffect(() => {
    if (scroller.current && first !== undefined)
      scroller.current.scrollTop = firstHour * hourHeightPx
  }, [first])
  return scroller
}

function Lanes({ days, events }: { days: readonly string[]; events: readonly EventRow[] }) {
  const lanes = useMemo(() => placeLanes(events.filter(isLong), days), [events, days])
  if (lanes.length === 0) return null
  return (
    <section className={styles.lanes} aria-label={t.calendar.allDay}>
      {lanes.map(({ row, first, last, lane }) => (
        <EventButton
          key={row.id}
          row={row}
          variant="line"
          style={{ gridColumn: `${first + 1} / ${last + 2}`, gridRow: lane + 1 }}
        />
      ))}
    </section>
  )
}

/** Minimum duration for a draggable upper edge: a shorter event could no longer be moved. */
const minMinutesForStartEdge = 30

/** The edges of an event that fall on this day. */
function edgesOf({ row, from, until }: DayPart, day: string): readonly ('start' | 'end')[] {
  const hasStart = firstDay(row) === day && until - from >= minMinutesForStartEdge
  return [...(hasStart ? (['start'] as const) : []), ...(until < 1440 ? (['end'] as const) : [])]
}

interface DayColumnProps {
  day: string
  events: readonly EventRow[]
  dragged: DraggedEvent | undefined
}

function DayColumn({ day, events, dragged }: DayColumnProps) {
  const { today, now, cursorDay, createAt, plan, people, busyOn } = useGrid()
  const parts = useMemo(
    () =>
      placeParts(
        events
          .map((row) => (row.id === dragged?.row.id ? movedRow(dragged) : row))
          .filter((row) => !isLong(row) && isOnDays(row, day, day))
          .map((row) => partOn(row, day)),
      ),
    [events, day, dragged],
  )
  const { drawn, on: drawHandlers } = useDraw(day, hourHeightPx, createAt)
  const drop = useTaskDrop(hourHeightPx, (task, { from }) => plan(task, { day, from }))
  const highlighted = drop.slot ?? drawn
  return (
    <section
      className={styles.column}
      aria-label={t.calendar.day(dayTitle(day), parts.length)}
      data-today={day === today || undefined}
      data-at={day === cursorDay || undefined}
      {...drawHandlers}
      {...drop.on}
    >
      <BusyParts day={day} people={people} parts={busyOn(day)} styleOf={timeSpanStyle} />
      {parts.map((part) => (
        <EventButton
          key={part.row.id}
          row={part.row}
          variant="block"
          style={partStyleOf(part)}
          edges={edgesOf(part, day)}
          isTight={part.columns / part.width > 3}
        />
      ))}
      {highlighted && (
        <span className={styles.drawn} style={timeSpanStyle(highlighted)} aria-hidden />
      )}
      {day === today && <NowLine minute={minuteOf(now)} />}
    </section>
  )
}

const movedRow = ({ row, time }: DraggedEvent): EventRow => ({
  ...row,
  starts_local: time.starts,
  ends_local: time.ends,
})

const timeSpanStyle = ({ from, until }: { from: number; until: number }): CSSProperties => ({
  top: `${(from / 60) * hourHeightPx}px`,
  height: `${((until - from) / 60) * hourHeightPx}px`,
})

function partStyleOf(part: PlacedPart): CSSProperties {
  const { column, columns, width } = part
  return {
    ...timeSpanStyle(part),
    insetInlineStart: `${(column / columns) * 100}%`,
    width: `calc(${(width / columns) * 100}% - 4px)`,
  }
}

function NowLine({ minute }: { minute: number }) {
  const line = useRef<HTMLSpanElement>(null)
  useEffect(() => void line.current?.scrollIntoView({ block: 'nearest' }), [])
  return (
    <span
      ref={line}
      className={styles.now}
      style={{ top: `${(minute / 60) * hourHeightPx}px` }}
      aria-hidden
    />
  )
}

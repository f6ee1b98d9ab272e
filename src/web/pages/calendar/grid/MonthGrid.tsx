import { useElementSize } from '@mantine/hooks'
import { useState, type DragEvent } from 'react'
import { daysBetween, longDay } from '../../../ui/work/days.ts'
import { firstDay, isOnDays, type EventRow } from '../data/events.ts'
import { dayTitle } from '../data/spans.ts'
import { shift } from '../event/actions.ts'
import { calendarTexts as t } from '../texts.ts'
import { useGrid } from './context.ts'
import { DayNumber } from './DayHeads.tsx'
import { EventButton } from './EventButton.tsx'
import styles from './grid.module.css'

const dragType = 'text/x-workspace-event'
/** Height of a line and of a day's header, in pixels. */
const [lineHeightPx, headerHeightPx] = [24, 30]

interface MonthGridProps {
  days: readonly string[]
  events: readonly EventRow[]
}

/** The weeks of a month. A full day shows as many events as fit. */
export function MonthGrid({ days, events }: MonthGridProps) {
  const { ref, height } = useElementSize()
  const weeks = days.length / 7
  const maxLines = Math.floor((height / weeks - headerHeightPx) / lineHeightPx)
  return (
    <div className={styles.month}>
      <div className={styles.weekdays} aria-hidden>
        {days.slice(0, 7).map((day) => (
          <span key={day}>{longDay(day, day).slice(0, 3)}</span>
        ))}
      </div>
      <div
        ref={ref}
        className={styles.weeks}
        style={{ gridTemplateRows: `repeat(${weeks}, minmax(0, 1fr))` }}
      >
        {days.map((day) => (
          <MonthDay key={day} day={day} events={events} maxLines={Math.max(1, maxLines)} />
        ))}
      </div>
    </div>
  )
}

function MonthDay({
  day,
  events,
  maxLines,
}: {
  day: string
  events: readonly EventRow[]
  maxLines: number
}) {
  const { cursorDay, toDay, createAt } = useGrid()
  const isOutsideMonth = day.slice(0, 7) !== cursorDay.slice(0, 7)
  const drop = useDrop(day, events)
  const dayEvents = events.filter((row) => isOnDays(row, day, day))
  const visibleRows = dayEvents.length <= maxLines ? dayEvents : dayEvents.slice(0, maxLines - 1)
  return (
    <section
      className={styles.monthDay}
      aria-label={t.calendar.day(dayTitle(day), dayEvents.length)}
      data-other={isOutsideMonth || undefined}
      data-over={drop.isOver || undefined}
      onDoubleClick={(event) => {
        if (event.target === event.currentTarget) createAt({ day })
      }}
      {...drop.handlers}
    >
      <button
        type="button"
        className={styles.number}
        aria-label={dayTitle(day)}
        onClick={() => toDay(day)}
      >
        <DayNumber day={day} isOutsideMonth={isOutsideMonth} />
      </button>
      {visibleRows.map((row) => (
        <EventButton
          key={row.id}
          row={row}
          variant="line"
          onDragStart={(transfer) => transfer.setData(dragType, `${row.id} ${day}`)}
        />
      ))}
      {dayEvents.length > visibleRows.length && (
        <button type="button" className={styles.more} onClick={() => toDay(day)}>
          {t.calendar.more(dayEvents.length - visibleRows.length)}
        </button>
      )}
    </section>
  )
}

/** Accepts an event dropped on a day: moves it by the dragged number of days. */
function useDrop(day: string, events: readonly EventRow[]) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false)
        const dragData = event.dataTransfer.getData(dragType)
        const fromDay = dragData.slice(-10)
        const row = events.find(({ id }) => id === dragData.slice(0, -11))
        if (row) void shift(row, { days: daysBetween(fromDay || firstDay(row), day) })
      },
    },
  }
}

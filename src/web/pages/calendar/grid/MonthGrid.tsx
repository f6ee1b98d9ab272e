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
/** Pixels of a line, and of a day's header. */
const [lineHeight, headHeight] = [24, 30]

interface MonthGridProps {
  days: readonly string[]
  events: readonly EventRow[]
}

/** The weeks of a month. A full day shows as many events as fit. */
export function MonthGrid({ days, events }: MonthGridProps) {
  const { ref, height } = useElementSize()
  const weeks = days.length / 7
  const room = Math.floor((height / weeks - headHeight) / lineHeight)
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
          <MonthDay key={day} day={day} events={events} room={Math.max(1, room)} />
        ))}
      </div>
    </div>
  )
}

function MonthDay({
  day,
  events,
  room,
}: {
  day: string
  events: readonly EventRow[]
  room: number
}) {
  const { at, toDay, createAt } = useGrid()
  const isOther = day.slice(0, 7) !== at.slice(0, 7)
  const drop = useDrop(day, events)
  const here = events.filter((row) => isOnDays(row, day, day))
  const visibleRows = here.length <= room ? here : here.slice(0, room - 1)
  return (
    <section
      className={styles.monthDay}
      aria-label={t.calendar.day(dayTitle(day), here.length)}
      data-other={isOther || undefined}
      data-over={drop.isOver || undefined}
      onDoubleClick={(event) => {
        if (event.target === event.currentTarget) createAt({ day })
      }}
      {...drop.on}
    >
      <button
        type="button"
        className={styles.number}
        aria-label={dayTitle(day)}
        onClick={() => toDay(day)}
      >
        <DayNumber day={day} isOther={isOther} />
      </button>
      {visibleRows.map((row) => (
        <EventButton
          key={row.id}
          row={row}
          look="line"
          dragStart={(transfer) => transfer.setData(dragType, `${row.id} ${day}`)}
        />
      ))}
      {here.length > visibleRows.length && (
        <button type="button" className={styles.more} onClick={() => toDay(day)}>
          {t.calendar.more(here.length - visibleRows.length)}
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
    on: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: () => setOver(false),
      onDrop: (event: DragEvent) => {
        setOver(false)
        const dropped = event.dataTransfer.getData(dragType)
        const from = dropped.slice(-10)
        const row = events.find(({ id }) => id === dropped.slice(0, -11))
        if (row) void shift(row, { days: daysBetween(from || firstDay(row), day) })
      },
    },
  }
}

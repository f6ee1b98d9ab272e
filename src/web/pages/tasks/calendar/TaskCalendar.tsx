import { IconChevronLeft, IconChevronRight } from '@tabler/icons-react'
import { useEffect, useMemo, useState, type DragEvent } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { t } from '../../../texts/index.ts'
import { dayOf, longDay } from '../../../ui/work/days.ts'
import { StatusIcon } from '../../../ui/work/states.tsx'
import { taskRowOf, useAllRows, useRow, type TaskRow } from '../data/rows.ts'
import { dueDay, isClosed } from '../data/due.ts'
import type { TaskGroup } from '../list/arrange.ts'
import {
  setCursor,
  setOrder,
  useCursor,
  useIsCursor,
  useIsTabStop,
} from '../../../ui/work/table/selection.ts'
import { applyChange } from '../pick/changes.ts'
import tasks from '../tasks.module.css'
import { useBarCommands } from '../timeline/useBarCommands.ts'
import styles from './calendar.module.css'
import { calendarSpans, addSpans, weeksAround, type CalendarSpan } from './weeks.ts'

interface TaskCalendarProps {
  groups: readonly TaskGroup[]
  open: (row: TaskRow) => void
}

const dragType = 'text/x-workspace-task'

/** Tasks on their due days; tasks without a day are listed beside and can be dragged in. */
export function TaskCalendar({ groups, open }: TaskCalendarProps) {
  const today = dayOf()
  const [span, setSpan] = useState<CalendarSpan>('month')
  const [anchorDay, setAnchorDay] = useState(today)
  const weeks = useMemo(() => weeksAround(anchorDay, span), [anchorDay, span])
  const idsByDay = useDays(groups)
  const step = (count: number) => () => setAnchorDay(addSpans(anchorDay, span, count))
  useOrder(weeks, idsByDay)
  useBarCommands()
  useCommands({
    'period.next': step(1),
    'period.previous': step(-1),
    'timeline.zoom': () => setSpan(span === 'month' ? 'week' : 'month'),
    'timeline.today': () => setAnchorDay(today),
  })
  return (
    <div className={styles.screen}>
      <div className={styles.head}>
        <h2>{monthTitleOf(anchorDay)}</h2>
        <button
          type="button"
          className={tasks.view}
          aria-label={t.keys.commands['period.previous']}
          onClick={step(-1)}
        >
          <IconChevronLeft size={15} aria-hidden />
        </button>
        <button
          type="button"
          className={tasks.view}
          aria-label={t.keys.commands['period.next']}
          onClick={step(1)}
        >
          <IconChevronRight size={15} aria-hidden />
        </button>
        <button type="button" className={tasks.view} onClick={() => setAnchorDay(today)}>
          {t.tasks.days.today}
        </button>
        <span className={tasks.spring} />
        {calendarSpans.map((name) => (
          <button
            key={name}
            type="button"
            className={tasks.view}
            aria-pressed={name === span}
            onClick={() => setSpan(name)}
          >
            {t.tasks.calendar.spans[name]}
          </button>
        ))}
      </div>
      <div className={styles.body}>
        <div className={styles.weeks} data-span={span}>
          {weeks.flat().map((day) => (
            <Day
              key={day}
              day={day}
              today={today}
              isOutsideMonth={span === 'month' && day.slice(0, 7) !== anchorDay.slice(0, 7)}
              ids={idsByDay.get(day) ?? []}
              open={open}
            />
          ))}
        </div>
        <UndatedTasks ids={idsByDay.get('') ?? []} open={open} />
      </div>
    </div>
  )
}

const monthFormat = new Intl.DateTimeFormat('en-GB', {
  month: 'long',
  year: 'numeric',
  timeZone: 'UTC',
})
const monthTitleOf = (day: string) => monthFormat.format(new Date(`${day}T00:00:00Z`))

/** Task ids by due day, '' for tasks without one. */
function useDays(groups: readonly TaskGroup[]): Map<string, string[]> {
  const rows = useAllRows()
  return useMemo(() => {
    const days = new Map<string, string[]>()
    const ids = rows.length === 0 ? [] : new Set(groups.flatMap((group) => group.ids))
    for (const id of ids) {
      const row = taskRowOf(id)
      if (!row) continue
      const day = dueDay(row) ?? ''
      const dayIds = days.get(day)
      if (dayIds) dayIds.push(id)
      else days.set(day, [id])
    }
    return days
  }, [groups, rows])
}

/** `j` and `k` move from day to day, then through tasks without one. */
function useOrder(weeks: readonly string[][], idsByDay: ReadonlyMap<string, string[]>): void {
  const cursor = useCursor()
  useEffect(() => {
    setOrder([...weeks.flat(), ''].flatMap((day) => idsByDay.get(day) ?? []))
  }, [weeks, idsByDay])
  useEffect(() => {
    if (cursor === undefined) return
    const entry = document.querySelector<HTMLElement>(`[data-task="${cursor}"]`)
    if (document.activeElement?.closest('dialog') === null) entry?.focus({ preventScroll: true })
    entry?.scrollIntoView({ block: 'nearest' })
  }, [cursor])
}

interface DayProps {
  day: string
  today: string
  /** It belongs to an adjacent month. */
  isOutsideMonth: boolean
  ids: readonly string[]
  open: (row: TaskRow) => void
}

function Day({ day, today, isOutsideMonth, ids, open }: DayProps) {
  const drop = useDrop(day)
  return (
    <section
      className={styles.day}
      aria-label={longDay(day, today)}
      data-today={day === today || undefined}
      data-other={isOutsideMonth || undefined}
      data-empty={ids.length === 0 || undefined}
      data-over={drop.isOver || undefined}
      {...drop.handlers}
    >
      <header className={styles.number}>
        <span className={styles.weekday}>{longDay(day, today).slice(0, 3)}</span>
        <time dateTime={day}>{Number(day.slice(8))}</time>
      </header>
      <ul className={styles.entries}>
        {ids.map((id) => (
          <li key={id}>
            <CalendarTask id={id} open={open} />
          </li>
        ))}
      </ul>
    </section>
  )
}

function UndatedTasks({ ids, open }: { ids: readonly string[]; open: (row: TaskRow) => void }) {
  const drop = useDrop(null)
  return (
    <section
      className={styles.undated}
      aria-label={t.tasks.noDay}
      data-over={drop.isOver || undefined}
      {...drop.handlers}
    >
      <h3>
        {t.tasks.noDay} <span>{ids.length}</span>
      </h3>
      <ul className={styles.entries}>
        {ids.map((id) => (
          <li key={id}>
            <CalendarTask id={id} open={open} />
          </li>
        ))}
      </ul>
    </section>
  )
}

/** Accepts a dropped task, and sets its due day. */
function useDrop(day: string | null) {
  const [isOver, setOver] = useState(false)
  return {
    isOver,
    handlers: {
      onDragOver: (event: DragEvent) => {
        if (!event.dataTransfer.types.includes(dragType)) return
        event.preventDefault()
        setOver(true)
      },
      onDragLeave: (event: DragEvent) => {
        if (!event.currentTarget.contains(event.relatedTarget as Node | null)) setOver(false)
      },
      onDrop: (event: DragEvent) => {
        setOver(false)
        const row = taskRowOf(event.dataTransfer.getData(dragType))
        if (row && (dueDay(row) ?? null) !== day) void applyChange([row.id], { field: 'due', day })
      },
    },
  }
}

function CalendarTask({ id, open }: { id: string; open: (row: TaskRow) => void }) {
  const row = useRow(id)
  const isCursor = useIsCursor(id)
  const isTabStop = useIsTabStop(id)
  if (!row) return null
  return (
    <button
      type="button"
      className={styles.entry}
      data-task={id}
      data-anchor
      data-cursor={isCursor || undefined}
      data-closed={isClosed(row.status_category) || undefined}
      tabIndex={isTabStop ? 0 : -1}
      draggable
      onDragStart={(event) => {
        event.dataTransfer.setData(dragType, id)
        event.dataTransfer.effectAllowed = 'move'
        setCursor(id)
      }}
      onFocus={() => setCursor(id)}
      onClick={() => open(row)}
    >
      <StatusIcon category={row.status_category} size={12} />
      <span className={styles.entryTitle} dir="auto">
        {row.title}
      </span>
    </button>
  )
}

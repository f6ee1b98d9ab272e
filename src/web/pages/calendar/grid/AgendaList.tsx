import { IconCalendar } from '@tabler/icons-react'
import { EmptyState } from '../../../ui/states.tsx'
import { daysBetween, relativeDay, longDay } from '../../../ui/work/days.ts'
import { isOnDays, timeOf, type EventRow } from '../data/events.ts'
import { hoursOf, stateTextsOf, describeTime, eventTitleOf } from '../event/words.ts'
import { calendarTexts as t } from '../texts.ts'
import { calendarColorStyle, eventStateOf } from './EventButton.tsx'
import { useGrid } from './context.ts'
import styles from './grid.module.css'

interface AgendaListProps {
  days: readonly string[]
  events: readonly EventRow[]
  isLoaded: boolean
}

/** Days with events, in a vertical list. */
export function AgendaList({ days, events, isLoaded }: AgendaListProps) {
  const { today } = useGrid()
  const shownDays = days
    .map((day) => ({ day, rows: events.filter((row) => isOnDays(row, day, day)) }))
    .filter(({ day, rows }) => rows.length > 0 || day === today)
  if (isLoaded && events.length === 0)
    return <EmptyState icon={IconCalendar} {...t.calendar.empty} />
  return (
    <div className={styles.agenda}>
      {shownDays.map(({ day, rows }) => (
        <section key={day} className={styles.agendaDay} data-today={day === today || undefined}>
          <h2>
            <time dateTime={day}>{longDay(day, today)}</time>
            {Math.abs(daysBetween(today, day)) <= 1 && (
              <span className={styles.relative}>{relativeDay(day, today)}</span>
            )}
          </h2>
          {rows.length === 0 ? (
            <p className={styles.none}>{t.calendar.nothing}</p>
          ) : (
            <ul>
              {rows.map((row) => (
                <li key={row.id}>
                  <AgendaRow row={row} />
                </li>
              ))}
            </ul>
          )}
        </section>
      ))}
    </div>
  )
}

function AgendaRow({ row }: { row: EventRow }) {
  const { cursorId, openId, go, open, colorById } = useGrid()
  const time = timeOf(row)
  const isOneDay = time.starts.slice(0, 10) === time.ends.slice(0, 10)
  const hours = isOneDay ? hoursOf(time) : describeTime(time)
  return (
    <button
      type="button"
      className={styles.agendaRow}
      data-event={row.id}
      data-here={row.id === cursorId || undefined}
      data-open={row.id === openId || undefined}
      tabIndex={row.id === cursorId ? 0 : -1}
      style={calendarColorStyle(colorById.get(row.calendar.id))}
      onFocus={() => go(row.id)}
      onClick={() => open(row)}
    >
      <span className={styles.agendaTime}>{time.allDay ? t.calendar.allDay : hours}</span>
      <span
        className={styles.agendaTitle}
        data-off={eventStateOf(row) === 'off' || undefined}
        dir="auto"
      >
        {eventTitleOf(row)}
      </span>
      <span className={styles.agendaNote}>
        {[row.location, ...stateTextsOf(row)].filter((note) => note !== undefined).join(' · ')}
      </span>
    </button>
  )
}

import { VisuallyHidden } from '@mantine/core'
import { longDay } from '../../../ui/work/days.ts'
import { monthTitle } from '../data/spans.ts'
import { useGrid } from './context.ts'
import styles from './grid.module.css'

interface DayHeadsProps {
  days: readonly string[]
  toDay: (day: string) => void
}

/** Column headers with weekday and number. */
export function DayHeads({ days, toDay }: DayHeadsProps) {
  const { cursorDay } = useGrid()
  return (
    <div className={styles.heads}>
      {days.map((day) => (
        <button
          key={day}
          type="button"
          className={styles.dayHead}
          aria-current={day === cursorDay ? 'date' : undefined}
          onClick={() => toDay(day)}
        >
          <span>{longDay(day, day).slice(0, 3)}</span> <DayNumber day={day} />
          <VisuallyHidden> {monthTitle(day)}</VisuallyHidden>
        </button>
      ))}
    </div>
  )
}

/** The number of a day, marked for today and for the keyboard position. */
export function DayNumber({
  day,
  isOutsideMonth = false,
}: {
  day: string
  isOutsideMonth?: boolean
}) {
  const { today, cursorDay } = useGrid()
  return (
    <time
      dateTime={day}
      className={styles.date}
      data-today={day === today || undefined}
      data-at={day === cursorDay || undefined}
      data-other={isOutsideMonth || undefined}
    >
      {Number(day.slice(8))}
    </time>
  )
}

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
  const { at } = useGrid()
  return (
    <div className={styles.heads}>
      {days.map((day) => (
        <button
          key={day}
          type="button"
          className={styles.dayHead}
          aria-current={day === at ? 'date' : undefined}
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
export function DayNumber({ day, isOther = false }: { day: string; isOther?: boolean }) {
  const { today, at } = useGrid()
  return (
    <time
      dateTime={day}
      className={styles.date}
      data-today={day === today || undefined}
      data-at={day === at || undefined}
      data-other={isOther || undefined}
    >
      {Number(day.slice(8))}
    </time>
  )
}

import { useState } from 'react'
import { useOperation } from '../../../api/queries.ts'
import { QueryContent } from '../../../ui/states.tsx'
import { addDays } from '../../../ui/work/days.ts'
import { minutesBetween, wallOf } from '../data/wall.ts'
import { calendarTexts as t } from '../texts.ts'
import styles from './event.module.css'
import { timeOfValues, type EventValues } from './values.ts'
import { describeTime } from './words.ts'

const maxTimes = 6
/** Number of days ahead that are searched for free times. */
const daysAhead = 14

interface TimeFinderProps {
  values: EventValues
  /** Required participants, by id or address. */
  guests: readonly string[]
  choose: (starts: string) => void
}

/** Times at which all guests are available, best first, with explanations. */
export function TimeFinder({ values, guests, choose }: TimeFinderProps) {
  const [isOpen, setOpen] = useState(false)
  const { finder } = t.calendar
  if (guests.length === 0 || values.allDay) return null
  return (
    <div className={styles.finder} data-wide>
      <button
        type="button"
        className={styles.button}
        aria-expanded={isOpen}
        onClick={() => setOpen(!isOpen)}
      >
        {finder.find}
      </button>
      {isOpen && <Times values={values} guests={guests} choose={choose} />}
    </div>
  )
}

function Times({ values, guests, choose }: TimeFinderProps) {
  const { starts, ends } = timeOfValues(values)
  const minutes = minutesBetween(starts, ends)
  const today = wallOf(Date.now(), values.zone).slice(0, 10)
  const from = values.startDay < today ? today : values.startDay
  const times = useOperation(
    'find_meeting_time',
    {
      attendees: [...guests],
      duration_minutes: Math.min(1440, Math.max(5, minutes || 30)),
      from,
      to: addDays(from, daysAhead),
      timezone: values.zone,
      limit: maxTimes,
    },
    { staleTime: 60_000 },
  )
  return (
    <QueryContent query={times}>
      {({ items }) =>
        items.length === 0 ? (
          <p className={styles.hint}>{t.calendar.finder.none(daysAhead)}</p>
        ) : (
          <ul className={styles.times} aria-label={t.calendar.finder.times}>
            {items.map(({ starts_at, ends_at, reasons }) => {
              const time = {
                allDay: false,
                starts: wallOf(Date.parse(starts_at), values.zone),
                ends: wallOf(Date.parse(ends_at), values.zone),
              }
              return (
                <li key={starts_at}>
                  <button
                    type="button"
                    className={styles.choice}
                    aria-pressed={time.starts === starts}
                    onClick={() => choose(time.starts)}
                  >
                    <span>{describeTime(time)}</span>{' '}
                    <span className={styles.quiet}>{reasons.join(' · ')}</span>
                  </button>
                </li>
              )
            })}
          </ul>
        )
      }
    </QueryContent>
  )
}

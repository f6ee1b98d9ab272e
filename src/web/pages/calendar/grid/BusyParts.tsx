import { VisuallyHidden } from '@mantine/core'
import type { CSSProperties } from 'react'
import type { BusyPart, BusyPerson } from '../data/useBusy.ts'
import { wallAt } from '../data/wall.ts'
import { calendarTexts as t } from '../texts.ts'
import styles from './grid.module.css'

interface BusyPartsProps {
  day: string
  people: readonly BusyPerson[]
  parts: readonly BusyPart[]
  styleOf: (part: BusyPart) => CSSProperties
}

/** Busy times of colleagues on a day, behind the events: one strip each. */
export function BusyParts({ day, people, parts, styleOf }: BusyPartsProps) {
  if (parts.length === 0) return null
  const clock = (minute: number) => wallAt(day, minute).slice(11)
  return (
    <>
      {parts.map((part) => {
        const index = people.findIndex(({ id }) => id === part.id)
        return (
          <span
            key={`${part.id} ${part.from}`}
            className={styles.busy}
            title={t.calendar.busy.of(part.name, clock(part.from), clock(part.until))}
            style={{
              ...styleOf(part),
              insetInlineStart: `${(index / people.length) * 100}%`,
              width: `${100 / people.length}%`,
            }}
          >
            <span aria-hidden>{part.name}</span>
            <VisuallyHidden>
              {t.calendar.busy.of(part.name, clock(part.from), clock(part.until))}
            </VisuallyHidden>
          </span>
        )
      })}
    </>
  )
}

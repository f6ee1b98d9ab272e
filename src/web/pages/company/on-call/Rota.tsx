import type { CSSProperties } from 'react'
import { onCallTexts as words } from '../../../texts/en/company/on-call.ts'
import { addDays, dayOf, longDay } from '../../../ui/work/days.ts'
import { Face } from '../../../ui/work/Who.tsx'
import planning from '../../planning/planning.module.css'
import { timeFormatIn, shownDays, type Schedule, type RotaShift } from './data.ts'
import styles from './on-call.module.css'
import type { Override } from './OverrideForm.tsx'
import { rotaBarOf, type RotaRange } from './spans.ts'

interface RotaProps {
  schedule: Schedule
  cover: (override: Override) => void
}

const barStyleOf = (period: RotaRange, range: RotaRange) => {
  const bar = rotaBarOf(period, range)
  return (
    bar && ({ insetInlineStart: `${bar.start}%`, inlineSize: `${bar.width}%` } as CSSProperties)
  )
}

/** Two weeks of the rotation: a lane per level, and a red one for gaps in coverage. */
export function Rota({ schedule, cover }: RotaProps) {
  const { shifts = [], gaps, layers, shifts_until: end } = schedule
  const zone = shifts[0]?.timezone
  const levels = [...new Set(layers.map(({ level }) => level))].toSorted((a, b) => a - b)
  return (
    <fieldset className={styles.rota} aria-label={words.rotation}>
      <Days schedule={schedule} zone={zone} />
      {levels.map((level) => (
        <div key={level} className={styles.lane}>
          <span className={styles.laneName}>{words.level(level)}</span>
          <div className={styles.bars}>
            {shifts
              .filter((shift) => shift.level === level)
              .map((shift) => (
                <ShiftBar
                  key={`${shift.starts_at} ${shift.person.id}`}
                  {...{ schedule, shift, cover }}
                />
              ))}
          </div>
        </div>
      ))}
      {gaps.length > 0 && (
        <div className={styles.lane}>
          <span className={styles.laneName} data-gap>
            {words.nobody}
          </span>
          <div className={styles.bars}>
            {gaps.map((gap) => (
              <GapBar key={gap.from} {...{ schedule, gap, zone, cover }} />
            ))}
          </div>
        </div>
      )}
      {end !== undefined && <p className={planning.note}>{words.more(timeFormatIn(zone)(end))}</p>}
    </fieldset>
  )
}

/** The days above the lanes, with today marked. */
function Days({ schedule, zone }: { schedule: Schedule; zone: string | undefined }) {
  const first = new Intl.DateTimeFormat('en-CA', {
    dateStyle: 'short',
    ...(zone !== undefined && { timeZone: zone }),
  }).format(new Date(schedule.from))
  const today = dayOf()
  return (
    <div className={styles.lane} aria-hidden>
      <span className={styles.laneName} />
      <div className={styles.days}>
        {Array.from({ length: shownDays }, (_, n) => addDays(first, n)).map((day) => (
          <span
            key={day}
            data-today={day === today || undefined}
            data-number={Number(day.slice(8))}
          >
            {longDay(day)}
          </span>
        ))}
      </div>
    </div>
  )
}

function ShiftBar({ schedule, shift, cover }: RotaProps & { shift: RotaShift }) {
  const { person, level, starts_at: from, ends_at: to, covers_for: covered } = shift
  const style = barStyleOf(schedule, { from, to })
  if (!style) return null
  const formatTime = timeFormatIn(shift.timezone)
  const label = words.shift(person.title, level, formatTime(from), formatTime(to))
  return (
    <button
      type="button"
      className={styles.bar}
      style={style}
      data-row
      data-override={shift.is_override || undefined}
      aria-label={covered ? `${label}, ${words.coversFor(covered.title)}` : label}
      title={label}
      onClick={() => cover({ schedule, level, from, to })}
    >
      <Face id={person.id} name={person.title} size={18} />
      <span dir="auto">{person.title}</span>
    </button>
  )
}

interface GapBarProps extends RotaProps {
  gap: RotaRange
  zone: string | undefined
}

function GapBar({ schedule, gap, zone, cover }: GapBarProps) {
  const style = barStyleOf(schedule, gap)
  if (!style) return null
  const formatTime = timeFormatIn(zone)
  const label = words.gapBar(formatTime(gap.from), formatTime(gap.to))
  return (
    <button
      type="button"
      className={styles.bar}
      style={style}
      data-row
      data-gap
      aria-label={label}
      title={label}
      onClick={() => cover({ schedule, from: gap.from, to: gap.to })}
    >
      <span>{words.nobody}</span>
    </button>
  )
}

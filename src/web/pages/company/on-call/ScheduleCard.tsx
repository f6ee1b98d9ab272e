import { onCallTexts as words } from '../../../texts/en/company/on-call.ts'
import { Face } from '../../../ui/work/Who.tsx'
import planning from '../../planning/planning.module.css'
import {
  endOverride,
  timeFormatIn,
  removeSchedule,
  useUpcomingSchedules,
  useOnCallNow,
  type Schedule,
  type RotaShift,
} from './data.ts'
import styles from './on-call.module.css'
import type { Override } from './OverrideForm.tsx'
import { Rota } from './Rota.tsx'
import { totalHours, shiftAfter } from './spans.ts'

interface ScheduleProps {
  schedule: Schedule
  cover: (override: Override) => void
}

/** A schedule: current and next on call, its rotation, and gaps in coverage. */
export function ScheduleCard({ schedule, edit, cover }: ScheduleProps & { edit: () => void }) {
  return (
    <section className={styles.card} data-schedule={schedule.id} aria-label={schedule.name}>
      <header className={styles.cardHead}>
        <h2 dir="auto">{schedule.name}</h2>
        <span className={planning.note}>
          {[schedule.team?.title, schedule.timezone, words.escalation(schedule.escalation_minutes)]
            .filter((part) => part !== undefined)
            .join(' · ')}
        </span>
        <span className={planning.spring} />
        <button
          type="button"
          className={planning.button}
          data-plain
          onClick={() => cover({ schedule })}
        >
          {words.cover}
        </button>
        <button type="button" className={planning.button} data-plain onClick={edit}>
          {words.edit}
        </button>
        <button
          type="button"
          className={planning.button}
          data-plain
          onClick={() => void removeSchedule(schedule)}
        >
          {words.remove}
        </button>
      </header>
      <NowAndNext schedule={schedule} cover={cover} />
      <Rota schedule={schedule} cover={cover} />
      <Gaps schedule={schedule} cover={cover} />
      <Overrides schedule={schedule} />
    </section>
  )
}

/** By level: the person on call, until when, and the next one. */
function NowAndNext({ schedule, cover }: ScheduleProps) {
  const currentShifts = useOnCallNow().items.filter((shift) => shift.schedule.id === schedule.id)
  const upcomingShifts =
    useUpcomingSchedules().items.find(({ id }) => id === schedule.id)?.shifts ?? []
  const levels = [...new Set(schedule.layers.map(({ level }) => level))].toSorted((a, b) => a - b)
  return (
    <ul className={styles.now}>
      {levels.map((level) => {
        const shift = currentShifts.find((item) => item.level === level)
        const next = shift
          ? shiftAfter(upcomingShifts, shift)
          : shiftAfter(upcomingShifts, { level, starts_at: '', ends_at: new Date().toISOString() })
        return (
          <li key={level} data-level={level}>
            <span className={planning.note}>{words.level(level)}</span>
            <OnCallPerson label={words.now} shift={shift} />
            {shift && (
              <button
                type="button"
                className={planning.button}
                data-plain
                onClick={() =>
                  cover({ schedule, level, from: new Date().toISOString(), to: shift.ends_at })
                }
              >
                {words.handOver}
              </button>
            )}
            {next && <OnCallPerson label={words.then} shift={next} />}
          </li>
        )
      })}
    </ul>
  )
}

function OnCallPerson({ label, shift }: { label: string; shift: RotaShift | undefined }) {
  if (!shift)
    return (
      <span className={styles.holder} data-nobody>
        <strong>{words.nobody}</strong>
      </span>
    )
  const { person, starts_at: from, ends_at: to, covers_for: covered } = shift
  const formatTime = timeFormatIn(shift.timezone)
  return (
    <span className={styles.holder}>
      <span className={planning.note}>{label}</span>
      <Face id={person.id} name={person.title} size={20} />
      <strong dir="auto">{person.title}</strong>
      <span className={planning.note}>
        {label === words.now ? words.until(formatTime(to)) : words.from(formatTime(from))}
        {covered && `, ${words.coversFor(covered.title)}`}
      </span>
      {shift.conflicts.map((conflict) => (
        <span key={conflict} className={styles.conflict}>
          {conflict}
        </span>
      ))}
    </span>
  )
}

/** Gaps without anyone on call, in words, each with a button to cover it. */
function Gaps({ schedule, cover }: ScheduleProps) {
  const { gaps } = schedule
  const formatTime = timeFormatIn(schedule.shifts?.[0]?.timezone)
  if (gaps.length === 0) return <p className={styles.covered}>{words.covered}</p>
  return (
    <div className={styles.gaps}>
      <p>{words.gaps(gaps.length, words.hours(totalHours(gaps)))}</p>
      <ul>
        {gaps.map((gap) => (
          <li key={gap.from}>
            <span>
              {words.gap(formatTime(gap.from), formatTime(gap.to), words.hours(totalHours([gap])))}
            </span>
            <button
              type="button"
              className={planning.button}
              onClick={() => cover({ schedule, from: gap.from, to: gap.to })}
            >
              {words.coverThis}
            </button>
          </li>
        ))}
      </ul>
    </div>
  )
}

function Overrides({ schedule }: { schedule: Schedule }) {
  const { overrides } = schedule
  if (overrides.length === 0) return null
  return (
    <section className={planning.section}>
      <h3 className={styles.small}>{words.override.existing}</h3>
      <ul className={styles.overrides}>
        {overrides.map((shift) => {
          const formatTime = timeFormatIn(shift.timezone)
          const { id, person, covers_for: covered, reason } = shift
          return (
            <li key={id}>
              <Face id={person.id} name={person.title} size={18} />
              <span dir="auto">
                {words.override.line(
                  person.title,
                  formatTime(shift.starts_at),
                  formatTime(shift.ends_at),
                )}
              </span>
              <span className={planning.note} dir="auto">
                {[words.level(shift.level), covered && words.coversFor(covered.title), reason]
                  .filter((part) => part !== undefined)
                  .join(' · ')}
              </span>
              {id !== undefined && (
                <button
                  type="button"
                  className={planning.button}
                  data-plain
                  onClick={() => void endOverride(id, schedule.name)}
                >
                  {words.override.end}
                </button>
              )}
            </li>
          )
        })}
      </ul>
    </section>
  )
}

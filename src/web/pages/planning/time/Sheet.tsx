import { IconPlayerPlay, IconPlayerStop } from '@tabler/icons-react'
import { useMe } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { RouterLink } from '../../../ui/AppLink.tsx'
import { dayOf, longDay } from '../../../ui/work/days.ts'
import planning from '../planning.module.css'
import { formatDuration } from './durations.ts'
import { startTimer, stopTimer } from './entry-writes.ts'
import { Elapsed } from './RunningTimer.tsx'
import { entriesOn, isRunning, lineKey, minutesOf, lineName } from './sheet.ts'
import type { EntryRow, SheetLine } from './sheet.ts'
import { SheetCell } from './SheetCell.tsx'
import styles from './time.module.css'

interface SheetProps {
  days: readonly string[]
  lines: readonly SheetLine[]
  entries: readonly EntryRow[]
}

/** A week of the reader's time: a row per task or project, a column per day, with totals. */
export function Sheet({ days, lines, entries }: SheetProps) {
  const { time } = t.planning
  const today = dayOf()
  return (
    <div className={styles.frame}>
      <table className={styles.sheet}>
        <caption className={styles.hidden}>{time.title}</caption>
        <thead>
          <tr>
            <th scope="col">{time.line}</th>
            {days.map((day) => (
              <th key={day} scope="col" data-today={day === today || undefined}>
                <time dateTime={day}>{longDay(day)}</time>
              </th>
            ))}
            <th scope="col">{time.total}</th>
          </tr>
        </thead>
        <tbody>
          {lines.map((line, index) => (
            <TimesheetLine
              key={lineKey(line)}
              line={line}
              row={index}
              days={days}
              entries={entries}
            />
          ))}
        </tbody>
        <tfoot>
          <tr>
            <th scope="row">{time.total}</th>
            {days.map((day) => (
              <td key={day} className={styles.sum}>
                {formatDuration(minutesOf(entries.filter((entry) => entry.spent_on === day)))}
              </td>
            ))}
            <td className={styles.sum}>{formatDuration(minutesOf(entries)) || '0:00'}</td>
          </tr>
        </tfoot>
      </table>
      <p className={styles.hint}>{time.hint}</p>
    </div>
  )
}

interface LineProps {
  line: SheetLine
  row: number
  days: readonly string[]
  entries: readonly EntryRow[]
}

function TimesheetLine({ line, row, days, entries }: LineProps) {
  const key = lineKey(line)
  const lineEntries = entries.filter((entry) => lineKey(entry) === key)
  const runningEntry = lineEntries.find(isRunning)
  const name = lineName(line)
  const path = line.task
    ? `/tasks/${line.task.key ?? line.task.id}`
    : `/projects/${line.project?.key ?? key}`
  return (
    <tr data-line={key}>
      <th scope="row">
        <span className={styles.lineHead}>
          <TimerButton line={line} runningEntry={runningEntry} />
          {runningEntry && (
            <span className={styles.elapsed}>
              <Elapsed since={runningEntry.running_since} />
            </span>
          )}
          {line.task?.key && <span className={planning.key}>{line.task.key}</span>}
          <RouterLink to={path} className={styles.name} dir="auto">
            {name}
          </RouterLink>
        </span>
      </th>
      {days.map((day, column) => (
        <td key={day} data-today={day === dayOf() || undefined}>
          <SheetCell
            line={line}
            day={day}
            label={t.planning.time.cell(name, longDay(day))}
            entries={entriesOn(lineEntries, line, day)}
            position={{ row, column }}
          />
        </td>
      ))}
      <td className={styles.sum}>{formatDuration(minutesOf(lineEntries))}</td>
    </tr>
  )
}

interface TimerButtonProps {
  line: SheetLine
  runningEntry: EntryRow | undefined
}

function TimerButton({ line, runningEntry }: TimerButtonProps) {
  const me = useMe()
  const { time } = t.planning
  const label = runningEntry ? time.stop(lineName(line)) : time.start(lineName(line))
  return (
    <button
      type="button"
      className={styles.timer}
      data-running={runningEntry !== undefined || undefined}
      aria-label={label}
      title={label}
      onClick={() => (runningEntry ? stopTimer(runningEntry) : startTimer(line, me, dayOf()))}
    >
      {runningEntry ? (
        <IconPlayerStop size={14} stroke={1.8} aria-hidden />
      ) : (
        <IconPlayerPlay size={14} stroke={1.8} aria-hidden />
      )}
    </button>
  )
}

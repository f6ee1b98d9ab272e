import { useDocumentTitle } from '@mantine/hooks'
import { IconChevronLeft, IconChevronRight, IconClock, IconPlus } from '@tabler/icons-react'
import { useCallback, useMemo, useState } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { tooltipOf } from '../../../keys/tooltip.ts'
import { useMe } from '../../../session/session.ts'
import { useAllRowsOf, useListedRows } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { EmptyState, Loading, Problem } from '../../../ui/states.tsx'
import { addDays, dayOf, shortDate } from '../../../ui/work/days.ts'
import { mondayOf } from '../../tasks/calendar/weeks.ts'
import planning from '../planning.module.css'
import { startTimer, stopTimer } from './entry-writes.ts'
import { useRunningTimer } from './RunningTimer.tsx'
import { Sheet } from './Sheet.tsx'
import { lineKey, sheetLinesOf, weekDaysFrom, type EntryRow, type SheetLine } from './sheet.ts'
import { TaskChoice } from './TaskChoice.tsx'
import styles from './time.module.css'
import { TimeTabs } from './TimeTabs.tsx'

/** The reader's time of a week, by target and day, edited in place. */
export function TimeSheet() {
  useDocumentTitle(`${t.planning.time.title} – ${t.app.name}`)
  const today = dayOf()
  const [monday, setMonday] = useState(mondayOf(today))
  const [addedLines, setAddedLines] = useState<readonly SheetLine[]>([])
  const [anchor, setAnchor] = useState<Element>()
  const days = useMemo(() => weekDaysFrom(monday), [monday])
  const { loading, entries, previousLines } = useWeek(monday)
  const lines = useMemo(() => sheetLinesOf(entries, addedLines), [entries, addedLines])
  const missingLines = previousLines.filter(
    (line) => !lines.some((other) => lineKey(other) === lineKey(line)),
  )
  const goToWeek = (newMonday: string) => {
    setMonday(newMonday)
    setAddedLines([])
  }
  const add = () => setAnchor(document.querySelector('[data-add-line]') ?? undefined)
  const addLine = (line: SheetLine) => {
    setAddedLines([...addedLines, line])
    focusLine(line, days.includes(today) ? today : monday)
  }
  useTimerCommand(lines)
  useCommands({
    'period.next': () => goToWeek(addDays(monday, 7)),
    'period.previous': () => goToWeek(addDays(monday, -7)),
    'timeline.today': () => goToWeek(mondayOf(today)),
    'plan.create': add,
  })
  const isEmpty = lines.length === 0
  return (
    <>
      <header className={planning.bar}>
        <h1 className={planning.hidden}>{t.planning.time.title}</h1>
        <TimeTabs />
        <Weeks monday={monday} goToWeek={goToWeek} />
        <button type="button" className={planning.button} data-add-line onClick={add}>
          <IconPlus size={15} aria-hidden />
          {t.planning.time.add}
        </button>
      </header>
      {loading.error && <Problem error={loading.error} retry={loading.retry} />}
      {!loading.isLoaded && !loading.error && (
        <div className={planning.padded}>
          <Loading />
        </div>
      )}
      {loading.isLoaded && isEmpty && <EmptyState icon={IconClock} {...t.planning.time.empty} />}
      {loading.isLoaded && !isEmpty && <Sheet days={days} lines={lines} entries={entries} />}
      {loading.isLoaded && missingLines.length > 0 && (
        <p className={styles.tools} data-centered={isEmpty || undefined}>
          <button
            type="button"
            className={planning.button}
            onClick={() => setAddedLines([...addedLines, ...missingLines])}
          >
            {t.planning.time.repeat}
          </button>
        </p>
      )}
      {anchor && <TaskChoice anchor={anchor} close={() => setAnchor(undefined)} choose={addLine} />}
    </>
  )
}

/** Focuses the cell of a line on a day, once it is rendered and the menu has returned the focus. */
function focusLine(line: SheetLine, day: string): void {
  setTimeout(() =>
    document
      .querySelector<HTMLElement>(`[data-line="${lineKey(line)}"] [data-day="${day}"]`)
      ?.focus(),
  )
}

/** Starts a timer on the focused line, or stops the running one. */
function useTimerCommand(lines: readonly SheetLine[]): void {
  const me = useMe()
  const running = useRunningTimer()
  const toggleTimer = () => {
    const key = document.activeElement?.closest<HTMLElement>('[data-line]')?.dataset.line
    const line = lines.find((other) => lineKey(other) === key)
    if (line && (!running || lineKey(running) !== key)) return startTimer(line, me, dayOf())
    return running ? stopTimer(running) : false
  }
  useCommands({ 'time.timer': running || lines.length > 0 ? toggleTimer : undefined })
}

interface WeeksProps {
  monday: string
  goToWeek: (monday: string) => void
}

function Weeks({ monday, goToWeek }: WeeksProps) {
  const { commands } = t.keys
  const thisMonday = mondayOf(dayOf())
  return (
    <>
      {monday !== thisMonday && (
        <button
          type="button"
          className={planning.button}
          data-plain
          onClick={() => goToWeek(thisMonday)}
        >
          {t.planning.time.thisWeek}
        </button>
      )}
      <button
        type="button"
        className={planning.button}
        data-plain
        aria-label={commands['period.previous']}
        title={tooltipOf('period.previous')}
        onClick={() => goToWeek(addDays(monday, -7))}
      >
        <IconChevronLeft size={15} aria-hidden />
      </button>
      <span className={styles.week}>
        {t.planning.time.week(shortDate(monday), shortDate(addDays(monday, 6)))}
      </span>
      <button
        type="button"
        className={planning.button}
        data-plain
        aria-label={commands['period.next']}
        title={tooltipOf('period.next')}
        onClick={() => goToWeek(addDays(monday, 7))}
      >
        <IconChevronRight size={15} aria-hidden />
      </button>
    </>
  )
}

/** The reader's entries of a week, and the targets of the previous week. */
function useWeek(monday: string) {
  const me = useMe()
  const sunday = addDays(monday, 6)
  const from = addDays(monday, -7)
  const loading = useListedRows('time_entry', { person_id: 'me', from, to: sunday })
  const isInRange = useCallback(
    (entry: EntryRow) =>
      entry.person.id === me.id && entry.spent_on >= from && entry.spent_on <= sunday,
    [me.id, from, sunday],
  )
  const loadedEntries = useAllRowsOf('time_entry', isInRange)
  return useMemo(
    () => ({
      loading,
      entries: loadedEntries.filter((entry) => entry.spent_on >= monday),
      previousLines: sheetLinesOf(
        loadedEntries.filter((entry) => entry.spent_on < monday),
        [],
      ),
    }),
    [loadedEntries, loading, monday],
  )
}

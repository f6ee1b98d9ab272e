import { notify, randomId, table, write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import {
  isRunning,
  minutesOf,
  lineName,
  type EntryRow,
  type TimeTarget,
  type SheetLine,
} from './sheet.ts'

interface CellChange {
  line: SheetLine
  day: string
  /** The existing entries; the last one absorbs the difference. */
  entries: readonly EntryRow[]
  minutes: number
  me: TimeTarget
}

/** Sets a cell of the sheet: creates, changes or deletes its entry. */
export function setCell({ line, day, entries, minutes, me }: CellChange): void {
  const remainingMinutes = minutes - minutesOf(entries.slice(0, -1))
  const lastEntry = entries.at(-1)
  if (remainingMinutes < 0)
    return notify({ text: t.planning.time.several, seconds: 8, actions: [] })
  if (!lastEntry) return createEntry({ line, day, minutes: remainingMinutes, me })
  changeEntry(lastEntry.id, remainingMinutes, describeTimeEntry(line, minutes))
}

const describeTimeEntry = (line: SheetLine, minutes: number) =>
  t.planning.time.set(line.task?.key ?? lineName(line), minutes)

const lineTargetOf = (line: SheetLine) =>
  line.task ? { task_id: line.task.id } : { project_id: line.project?.id ?? '' }

function createEntry({ line, day, minutes, me }: Omit<CellChange, 'entries'>): void {
  const id = randomId()
  const entry = { ...line, person: me, spent_on: day, duration_minutes: minutes, billable: false }
  void write(
    'create_time_entry',
    { ...lineTargetOf(line), duration_minutes: minutes, spent_on: day },
    {
      rows: [{ type: 'time_entry', id, add: entry }],
      text: describeTimeEntry(line, minutes),
      noticeSeconds: 0,
    },
  )
}

function changeEntry(id: string, minutes: number, text: string): void {
  const options = { text, noticeSeconds: 0 }
  if (minutes === 0)
    void write(
      'delete_time_entry',
      { entry_id: id },
      { ...options, rows: [{ type: 'time_entry', id, remove: true }] },
    )
  else
    void write(
      'update_time_entry',
      { entry_id: id, duration_minutes: minutes },
      {
        ...options,
        rows: [{ type: 'time_entry', id, set: { duration_minutes: minutes } }],
      },
    )
}

/** Starts a timer on a line; a running one is stopped and keeps its time. */
export function startTimer(line: SheetLine, me: TimeTarget, today: string): void {
  const now = new Date().toISOString()
  const runningEntries = [...table('time_entry').all()].filter(
    (entry) => isRunning(entry) && entry.person.id === me.id,
  )
  void write('start_timer', lineTargetOf(line), {
    rows: [
      {
        type: 'time_entry',
        id: randomId(),
        add: {
          ...line,
          person: me,
          spent_on: today,
          duration_minutes: 0,
          billable: false,
          running_since: now,
        },
      },
      ...runningEntries.map(({ id }) => ({
        type: 'time_entry' as const,
        id,
        set: { running_since: undefined },
      })),
    ],
    text: t.planning.time.started(lineName(line)),
    noticeSeconds: 8, // one action, although it changes two rows
  })
}

/** Stops a running timer and keeps its time. */
export function stopTimer(entry: EntryRow): void {
  void write(
    'stop_timer',
    {},
    {
      rows: [{ type: 'time_entry', id: entry.id, set: { running_since: undefined } }],
      text: t.planning.time.stopped(lineName(entry)),
    },
  )
}

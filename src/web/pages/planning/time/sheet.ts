import { addDays } from '../../../ui/work/days.ts'
import type { RowOf } from '../../../store/index.ts'

export type EntryRow = RowOf<'time_entry'>

export interface TimeTarget {
  id: string
  title: string
  key?: string | undefined
}

/** Target of logged time: a task, or a project as a whole. */
export interface SheetLine {
  task?: TimeTarget | undefined
  project?: TimeTarget | undefined
}

/** Identifies a task or project. */
export const lineKey = ({ task, project }: SheetLine): string => task?.id ?? project?.id ?? ''

export const lineName = ({ task, project }: SheetLine) => task?.title ?? project?.title ?? ''

export const weekDaysFrom = (monday: string): string[] =>
  Array.from({ length: 7 }, (_, index) => addDays(monday, index))

export const isRunning = (entry: EntryRow) => entry.running_since !== undefined

/** The entries of a line on a day, oldest first, without a running timer. */
export function entriesOn(entries: readonly EntryRow[], line: SheetLine, day: string): EntryRow[] {
  return entries
    .filter(
      (entry) => entry.spent_on === day && !isRunning(entry) && lineKey(entry) === lineKey(line),
    )
    .toSorted((a, b) => (a.created_at ?? '9').localeCompare(b.created_at ?? '9'))
}

/** The sum of entries in minutes; without a running timer, like get_time_report. */
export const minutesOf = (entries: readonly EntryRow[]) =>
  entries.reduce((sum, entry) => sum + (isRunning(entry) ? 0 : entry.duration_minutes), 0)

/** A line for each target with logged time and each added one, by name. */
export function sheetLinesOf(
  entries: readonly EntryRow[],
  addedLines: readonly SheetLine[],
): readonly SheetLine[] {
  const lines = new Map([...addedLines, ...entries].map((line) => [lineKey(line), line]))
  return [...lines.values()]
    .map(({ task, project }) => ({ task, project }))
    .toSorted(
      (a, b) => lineName(a).localeCompare(lineName(b)) || lineKey(a).localeCompare(lineKey(b)),
    )
}

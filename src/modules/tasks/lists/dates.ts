import type { Row } from '../../../records/resource.ts'
import { dayAt, parseInstant, iso, localIso } from '../../../kernel/time/times.ts'

// Due and start dates. A date given as a day stays that day for every reader (due_on). The moment for deadlines, order
// and reminders (due_at) is its last second in the zone of the person who set it.

type Due = Pick<Row<'tasks'>, 'due_at' | 'due_on'>
type Start = Pick<Row<'tasks'>, 'start_at' | 'start_on'>

/**
 * The columns of a due date; null clears it.
 * @throws Refusal invalid_argument where the text is no moment
 */
export function dueColumns(text: string | null, zone: string): Due {
  if (text === null) return { due_at: null, due_on: null }
  return {
    due_at: parseInstant(text, zone, 'end', 'due_at'),
    due_on: isDateOnly(text) ? text : null,
  }
}

/**
 * The columns of a start date; null clears it.
 * @throws Refusal invalid_argument where the text is no moment
 */
export function startColumns(text: string | null, zone: string): Start {
  if (text === null) return { start_at: null, start_on: null }
  return {
    start_at: parseInstant(text, zone, 'start', 'start_at'),
    start_on: isDateOnly(text) ? text : null,
  }
}

/** True if a text in datetime() format is only a day. */
export function isDateOnly(text: string): boolean {
  return text.length === 10
}

/** A due date in answers: the moment, plus the given day or the reader's local time. */
export function presentDue(
  { due_at, due_on }: Due,
  zone: string,
): { due_at?: string; due_on?: string; due_local?: string } {
  if (due_at === null) return {}
  return due_on === null
    ? { due_at: iso(due_at), due_local: localIso(due_at, zone) }
    : { due_at: iso(due_at), due_on }
}

/** A start date in answers; see presentDue(). */
export function presentStart(
  { start_at, start_on }: Start,
  zone: string,
): { start_at?: string; start_on?: string; start_local?: string } {
  if (start_at === null) return {}
  return start_on === null
    ? { start_at: iso(start_at), start_local: localIso(start_at, zone) }
    : { start_at: iso(start_at), start_on }
}

/** The day on which a task is due for a reader in a zone. */
export function dueDay({ due_at, due_on }: Due, zone: string): string | undefined {
  return due_on ?? (due_at === null ? undefined : dayAt(due_at, zone))
}

/**
 * The moments of a task's dates in a time zone, which may differ from the one in which its days were set.
 */
export function momentsIn(
  row: Due & Start,
  zone: string,
): { due_at: number | null; start_at: number | null } {
  return {
    due_at: row.due_on === null ? row.due_at : parseInstant(row.due_on, zone, 'end'),
    start_at: row.start_on === null ? row.start_at : parseInstant(row.start_on, zone, 'start'),
  }
}

/** The dates of a task after moving its moments in a zone. */
export function movedDates(
  row: Due & Start,
  zone: string,
  move: (at: number) => number,
): Due & Start {
  const { due_at, start_at } = momentsIn(row, zone)
  const moved = {
    due_at: due_at === null ? null : move(due_at),
    start_at: start_at === null ? null : move(start_at),
  }
  return {
    ...moved,
    due_on: row.due_on === null ? null : dayAt(moved.due_at!, zone),
    start_on: row.start_on === null ? null : dayAt(moved.start_at!, zone),
  }
}

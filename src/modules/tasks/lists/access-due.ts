// Ranges of due dates, in which due days are compared as days.
import { sql, type Expression, type SqlBool } from 'kysely'
import { parseInstant } from '../../../kernel/time/times.ts'
import { isDateOnly } from './dates.ts'
import { anyOf } from '../../../db/text-conditions.ts'

/** Maximum difference between two time zones. */
const zoneSpread = 26 * 3600 * 1000

/**
 * One end of a range of due dates. Tasks with a due day are compared by day, others by the edge of that day in the
 * reader's zone.
 */
export interface DueBound {
  at: number
  day: string | undefined
  /** Bound for the index range: no task of that day lies beyond it. */
  reach: number
}

/** @throws Refusal invalid_argument if the text is not a time */
export function dueBound(
  text: string,
  zone: string,
  edge: 'start' | 'end',
  field: string,
): DueBound {
  const at = parseInstant(text, zone, edge, field)
  if (!isDateOnly(text)) return { at, day: undefined, reach: at }
  return { at, day: text, reach: at + (edge === 'end' ? zoneSpread : -zoneSpread) }
}

/** Tables that hold due dates. */
type DueTable = 'tasks' | 'open_assignments'

/** True if a task is due by a bound, for `where`: the index of due_at covers the range, then the day decides. */
export function dueUntil(
  { at, day, reach }: DueBound,
  table: DueTable = 'tasks',
): Expression<SqlBool> {
  const [dueAt, dueOn] = [sql.ref(`${table}.due_at`), sql.ref(`${table}.due_on`)]
  if (day === undefined) return sql<SqlBool>`${dueAt} <= ${at}`
  return sql<SqlBool>`${dueAt} <= ${reach} and case when ${dueOn} is null then ${dueAt} <= ${at} else ${dueOn} <= ${day} end`
}

/** True if a task is due from a bound on; see dueUntil(). */
export function dueFrom(
  { at, day, reach }: DueBound,
  table: DueTable = 'tasks',
): Expression<SqlBool> {
  const [dueAt, dueOn] = [sql.ref(`${table}.due_at`), sql.ref(`${table}.due_on`)]
  if (day === undefined) return sql<SqlBool>`${dueAt} >= ${at}`
  return sql<SqlBool>`${dueAt} >= ${reach} and case when ${dueOn} is null then ${dueAt} >= ${at} else ${dueOn} >= ${day} end`
}

/** Condition on due dates: within one of the ranges, missed by an open task, or none. */
export interface DueCondition {
  overdue: boolean
  none: boolean
  ranges: readonly { from: DueBound; to: DueBound }[]
}

/** True if a task is open and overdue. Negated, it also matches tasks without a due date. */
export function isOverdue(now: number, wanted = true): Expression<SqlBool> {
  const isLate = sql<SqlBool>`(tasks.due_at < ${now} and tasks.status_category not in ('done', 'cancelled'))`
  return wanted ? isLate : sql<SqlBool>`${isLate} is not true`
}

/**
 * True if a task's due date meets a condition; unknown (null) for a task without one unless the condition allows
 * that. Negated, it also matches such a task.
 */
export function isDue(
  { overdue, none, ranges }: DueCondition,
  now: number,
  wanted = true,
): Expression<SqlBool> {
  const alternatives = [
    ...ranges.map(({ from, to }) => sql<SqlBool>`(${dueFrom(from)} and ${dueUntil(to)})`),
    ...(overdue ? [isOverdue(now)] : []),
    ...(none ? [sql<SqlBool>`tasks.due_at is null`] : []),
  ]
  const matches = anyOf(alternatives)
  return wanted ? matches : sql<SqlBool>`${matches} is not true`
}

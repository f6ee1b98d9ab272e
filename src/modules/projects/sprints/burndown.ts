import { addDays, daysBetween } from '../../../kernel/time/times.ts'
import type { Row } from '../../../records/resource.ts'

export type Move = Pick<Row<'sprint_moves'>, 'task_id' | 'op' | 'points' | 'at'>
export type Unit = 'points' | 'tasks'

export interface SprintScope {
  /** Tasks in the sprint at its start. */
  committed: { tasks: number; points: number }
  /** Tasks added later that stayed. */
  added: string[]
  /** Initial tasks that were removed. */
  removed: string[]
}

/** Computes changes to the scope of a sprint since its start. */
export function sprintScope(moves: readonly Move[], startedAt: number): SprintScope {
  const atStart = new Map<string, number>()
  const last = new Map<string, 'added' | 'removed'>()
  for (const { task_id, op, points, at } of moves) {
    if (op !== 'added' && op !== 'removed') continue
    if (op === 'added' && at === startedAt) atStart.set(task_id, points ?? 0)
    last.set(task_id, op)
  }
  const tasks = [...last.keys()]
  return {
    committed: {
      tasks: atStart.size,
      points: roundBurndown([...atStart.values()].reduce((sum, points) => sum + points, 0)),
    },
    added: tasks.filter((id) => !atStart.has(id) && last.get(id) === 'added'),
    removed: tasks.filter((id) => atStart.has(id) && last.get(id) === 'removed'),
  }
}

export interface BurndownPoint {
  date: string
  /** At the end of the day; on the last day, at the time of the report. */
  remaining: number
  ideal: number
}

export interface BurndownInput {
  moves: readonly Move[]
  unit: Unit
  startedAt: number
  endsOn: string
  /** Last day shown: today, or the day the sprint was closed. */
  until: string
  /** Work open at this moment, with points that changed since the last move. */
  openNow: number
  dayOf: (at: number) => string
  isWorkday: (day: string) => boolean
}

const maxDays = 400

/**
 * Remaining work by day, from the sprint's start. The ideal falls evenly over the working days from the initially
 * open work to zero at the end of the last planned day; without working days, over all its days.
 */
export function burndown({
  moves,
  unit,
  startedAt,
  endsOn,
  until,
  openNow,
  dayOf,
  isWorkday,
}: BurndownInput): BurndownPoint[] {
  const weightOf = (move: Move) => (unit === 'points' ? (move.points ?? 0) : 1)
  const open = new Map<string, number>()
  const total = () => [...open.values()].reduce((sum, value) => sum + value, 0)
  const first = dayOf(startedAt)
  let next = 0
  const applyMoves = (isIncluded: (move: Move) => boolean) => {
    for (; next < moves.length && isIncluded(moves[next]!); next++) {
      const move = moves[next]!
      if (move.op === 'added' || move.op === 'reopened') open.set(move.task_id, weightOf(move))
      else open.delete(move.task_id)
    }
  }
  applyMoves((move) => move.at <= startedAt)
  const initialWork = total()
  const ideal = idealLine(initialWork, days(first, endsOn), isWorkday)
  const points = days(first, until).map((date) => {
    applyMoves((move) => dayOf(move.at) <= date)
    return { date, remaining: roundBurndown(total()), ideal: roundBurndown(ideal(date)) }
  })
  points.at(-1)!.remaining = roundBurndown(openNow)
  return points
}

function idealLine(
  start: number,
  planned: readonly string[],
  isWorkday: (day: string) => boolean,
): (day: string) => number {
  const workdays = planned.filter(isWorkday)
  const counted = workdays.length > 0 ? workdays : planned
  return (day) => start * (counted.filter((plannedDay) => plannedDay > day).length / counted.length)
}

/** All days of a span, at least one. */
function days(first: string, last: string): string[] {
  const count = Math.min(maxDays, Math.max(0, daysBetween(first, last)) + 1)
  return Array.from({ length: count }, (_, i) => addDays(first, i))
}

export function roundBurndown(value: number): number {
  return Math.round(value * 100) / 100
}

import type { RowOf } from '../../../store/index.ts'

export type GoalRow = RowOf<'goal'>
export type KeyResult = GoalRow['key_results'][number]

/** A goal in the list, with its level. */
export interface GoalLine {
  goal: GoalRow
  depth: number
}

/** Goals of one period, each followed by its subgoals. */
export interface GoalGroup {
  period: string
  lines: readonly GoalLine[]
}

const compareGoals = (a: GoalRow, b: GoalRow) =>
  a.title.localeCompare(b.title) || (a.id < b.id ? -1 : 1)

/** Goals as a tree by the period of its roots, latest first. Goals without a listed parent are roots. */
export function groupGoals(goals: readonly GoalRow[]): GoalGroup[] {
  const goalIds = new Set(goals.map((goal) => goal.id))
  const childrenByParent = Map.groupBy(goals, (goal) =>
    goal.parent && goalIds.has(goal.parent.id) ? goal.parent.id : '',
  )
  const linesUnder = (id: string, depth: number): GoalLine[] =>
    (childrenByParent.get(id) ?? [])
      .toSorted(compareGoals)
      .flatMap((goal) => [{ goal, depth }, ...linesUnder(goal.id, depth + 1)])
  const groups = new Map<string, GoalLine[]>()
  let period = ''
  for (const line of linesUnder('', 0)) {
    if (line.depth === 0) period = line.goal.period
    groups.set(period, [...(groups.get(period) ?? []), line])
  }
  return [...groups]
    .map(([name, lines]) => ({ period: name, lines }))
    .toSorted((a, b) => (a.period < b.period ? 1 : -1))
}

/** Progress of a value from start to target in percent, 0 to 100, as the server computes it. */
export function percentOf(
  { start_value, target_value }: Pick<KeyResult, 'start_value' | 'target_value'>,
  value: number,
): number {
  if (target_value === start_value) return 0
  const percent = (100 * (value - start_value)) / (target_value - start_value)
  const rounded = Math.round(Math.min(100, Math.max(0, percent)) * 10) / 10
  return rounded === 100 && percent < 100 ? 99.9 : rounded
}

/** The elapsed share of a period on a day, in percent. */
export function elapsedPercent(period: string, today: string): number {
  const days = periodDays(period)
  if (!days) return 0
  const [first, last, now] = [days.first, days.last, today].map((day) =>
    Date.parse(`${day}T00:00:00Z`),
  ) as [number, number, number]
  return Math.round(Math.min(100, Math.max(0, (100 * (now - first)) / (last - first))))
}

interface DayRange {
  first: string
  last: string
}

/** The first and last day of 2026, 2026-H2, 2026-Q4 or 2026-11; undefined for other texts. */
function periodDays(period: string): DayRange | undefined {
  const [, year, quarter, half, month] =
    /^(\d{4})(?:-(?:Q([1-4])|H([12])|(\d{2})))?$/.exec(period) ?? []
  if (year === undefined) return undefined
  const toRange = (start: number, months: number) => ({
    first: new Date(Date.UTC(Number(year), start, 1)).toISOString().slice(0, 10),
    last: new Date(Date.UTC(Number(year), start + months, 0)).toISOString().slice(0, 10),
  })
  if (quarter !== undefined) return toRange((Number(quarter) - 1) * 3, 3)
  if (half !== undefined) return toRange((Number(half) - 1) * 6, 6)
  return month === undefined ? toRange(0, 12) : toRange(Number(month) - 1, 1)
}

/** The periods offered for a new goal: this quarter and the next, plus the halves and years around today. */
export function periodsAround(today: string): string[] {
  const year = Number(today.slice(0, 4))
  const quarter = Math.ceil(Number(today.slice(5, 7)) / 3)
  const nextQuarter = quarter === 4 ? `${year + 1}-Q1` : `${year}-Q${quarter + 1}`
  const half = quarter <= 2 ? 1 : 2
  const nextHalf = half === 2 ? `${year + 1}-H1` : `${year}-H2`
  return [
    `${year}-Q${quarter}`,
    nextQuarter,
    `${year}-H${half}`,
    nextHalf,
    String(year),
    String(year + 1),
    today.slice(0, 7),
  ]
}

interface PastCheckin {
  created_at: string
  values: Readonly<Record<string, number>>
}

/**
 * The progress of a goal after each check-in, oldest first. Empty if a key result is computed: its past values are
 * not in the check-ins.
 */
export function progressSeries(
  keyResults: readonly KeyResult[],
  checkins: readonly PastCheckin[],
): number[] {
  const activeResults = keyResults.filter((result) => !result.retired)
  if (activeResults.length === 0 || activeResults.some((result) => result.source.kind !== 'manual'))
    return []
  const values = new Map(activeResults.map((result) => [result.id, result.start_value]))
  return checkins
    .toSorted((a, b) => (a.created_at < b.created_at ? -1 : 1))
    .map((checkin) => {
      for (const [id, value] of Object.entries(checkin.values))
        if (values.has(id)) values.set(id, value)
      const percents = activeResults.map((result) => percentOf(result, values.get(result.id) ?? 0))
      return percents.reduce((sum, percent) => sum + percent, 0) / percents.length
    })
}

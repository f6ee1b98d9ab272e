import { useCallback, useMemo } from 'react'
import { useAllRowsOf, type RowOf } from '../../store/index.ts'
import type { StatusCategory } from '../../ui/work/states.tsx'
import { useAllRows, type TaskRow } from '../tasks/data/rows.ts'

export type ProjectRow = RowOf<'project'>
export type SprintRow = RowOf<'sprint'>
export type MilestoneRow = RowOf<'milestone'>

/** Number of tasks by kind of status; cancelled ones do not count as work. */
export interface Amounts {
  total: number
  done: number
  in_progress: number
  points: number
  donePoints: number
}

export function amountsOf(rows: readonly TaskRow[]): Amounts {
  const amounts = { total: 0, done: 0, in_progress: 0, points: 0, donePoints: 0 }
  for (const row of rows) {
    if (row.status_category === 'cancelled') continue
    const points = row.points ?? 0
    amounts.total++
    amounts.points += points
    if (row.status_category === 'in_progress') amounts.in_progress++
    if (row.status_category !== 'done') continue
    amounts.done++
    amounts.donePoints += points
  }
  return amounts
}

/** The loaded tasks, grouped by the result of `keyOf`; tasks without one are omitted. */
export function useTasksBy(keyOf: (row: TaskRow) => string | undefined): Map<string, TaskRow[]> {
  const rows = useAllRows()
  return useMemo(() => {
    const groups = new Map<string, TaskRow[]>()
    for (const row of rows) {
      const key = keyOf(row)
      if (key === undefined) continue
      const group = groups.get(key)
      if (group) group.push(row)
      else groups.set(key, [row])
    }
    return groups
  }, [rows, keyOf])
}

export const projectIdOf = (row: TaskRow) => row.project.id
export const milestoneIdOf = (row: TaskRow) => row.milestone?.id

export const isOpenCategory = (category: StatusCategory) =>
  category !== 'done' && category !== 'cancelled'

/** All items of a type in a project, in order. */
export function useProjectItems<T extends 'sprint' | 'milestone'>(
  type: T,
  projectId: string,
  compare: (a: RowOf<T>, b: RowOf<T>) => number,
): RowOf<T>[] {
  const isOfProject = useCallback((row: RowOf<T>) => row.project.id === projectId, [projectId])
  const rows = useAllRowsOf(type, isOfProject)
  return useMemo(() => rows.toSorted(compare), [rows, compare])
}

import type { BoardTask, ProjectStatus } from './tasks.ts'

export interface BoardColumn extends ProjectStatus {
  tasks: BoardTask[]
}

const categoryOrder = ['triage', 'backlog', 'todo', 'in_progress', 'done', 'cancelled']
/** Categories shown even when empty, since tasks are moved there. */
const alwaysShown = new Set(['todo', 'in_progress', 'done'])

/** Columns of a board: the statuses of all its projects by name, ordered by category. */
export function boardColumnsOf(
  tasks: readonly BoardTask[],
  statuses: ReadonlyMap<string, readonly ProjectStatus[]>,
): BoardColumn[] {
  const columns = new Map<string, BoardColumn>()
  const columnFor = ({ name, category }: ProjectStatus): BoardColumn => {
    const column = columns.get(name) ?? { name, category, tasks: [] }
    columns.set(name, column)
    return column
  }
  for (const status of [...statuses.values()].flat()) columnFor(status)
  for (const task of tasks)
    columnFor({ name: task.status, category: task.category }).tasks.push(task)
  return [...columns.values()]
    .filter((column) => column.tasks.length > 0 || alwaysShown.has(column.category))
    .sort((a, b) => rankOf(a) - rankOf(b))
}

function rankOf({ category }: ProjectStatus): number {
  const rank = categoryOrder.indexOf(category)
  return rank < 0 ? categoryOrder.length : rank
}

import { readProjects } from '../data/lists.ts'
import type { TaskRow } from '../data/rows.ts'
import { isClosed } from '../data/due.ts'
import { applyChange } from './changes.ts'

/** Completes tasks, or reopens them if all are completed: each gets the first matching status of its project. */
export async function toggleDone(rows: readonly TaskRow[]): Promise<void> {
  const category = rows.every((row) => isClosed(row.status_category)) ? 'todo' : 'done'
  const projects = await readProjects()
  const rowsByStatus = Map.groupBy(rows, (row) => {
    const project = projects.find((other) => other.id === row.project.id)
    return project?.statuses
      .toSorted((a, b) => a.position - b.position)
      .find((status) => status.category === category)?.name
  })
  for (const [name, statusRows] of rowsByStatus)
    if (name !== undefined)
      await applyChange(
        statusRows.map((row) => row.id),
        { field: 'status', name, category },
      )
}

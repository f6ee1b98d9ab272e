import { t } from '../../../texts/index.ts'
import { notify } from '../../../store/index.ts'
import { readProjects } from '../data/lists.ts'
import { taskRowOf } from '../data/rows.ts'
import { applyChange, moveToProject } from '../pick/changes.ts'
import type { TaskGroup } from './arrange.ts'
import type { TaskView } from './view.ts'

/** Changes tasks to match a group: status, person, priority or project. */
export async function moveToGroup(
  ids: readonly string[],
  group: TaskGroup,
  { group: grouping }: TaskView,
): Promise<void> {
  const rows = ids.map(taskRowOf).filter((row) => row !== undefined)
  if (group.status) await applyChange(ids, { field: 'status', ...group.status })
  else if (group.priority) await applyChange(ids, { field: 'priority', priority: group.priority })
  else if (grouping === 'assignee')
    await applyChange(ids, { field: 'assignees', people: group.assignee ? [group.assignee] : [] })
  else if (group.project) {
    const project = (await readProjects()).find((other) => other.id === group.project?.id)
    if (project) await moveToProject(rows, project)
  } else notify({ text: t.tasks.cannotMoveThere, seconds: 8, actions: [] })
}

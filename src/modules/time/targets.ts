import { invalid } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { project } from '../portfolio/access.ts'
import { task } from '../tasks/access.ts'

/** Id arguments that name the target of a time entry. */
export const targetParams = {
  task: task.edit.maybe.describe('its project follows'),
  project: project.edit.maybe.describe('if there is no task'),
}

type Target = Pick<Row<'time_entries'>, 'task_id' | 'project_id'>

/**
 * Resolves the target on which time is spent to its stored form. A task implies its project.
 * @throws Refusal if both are given and do not belong together
 */
export function timeTargetOf(
  taskRow: Row<'tasks'> | undefined,
  project: Row<'projects'> | undefined,
): Target {
  if (taskRow && project && taskRow.project_id !== project.id)
    throw invalid(
      'project_id',
      `${taskRow.key} is not in ${project.key}.`,
      'Omit project_id: it follows from the task.',
    )
  return { task_id: taskRow?.id ?? null, project_id: taskRow?.project_id ?? project?.id ?? null }
}

/** @throws Refusal if neither a task nor a project is named */
export function requireTarget(
  on: Row<'tasks'> | undefined,
  projectRow: Row<'projects'> | undefined,
): Target {
  if (!on && !projectRow)
    throw invalid('task_id', 'send the task or project the time was spent on.')
  return timeTargetOf(on, projectRow)
}

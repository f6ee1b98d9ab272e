import { asPerson } from '../../core/system.ts'
import type { Row } from '../../core/resource.ts'
import { status, project } from '../projects/access.ts'
import type { Someone, TestWorkspace } from '../../testing/harness.ts'

/** For tests: puts a task into a project as somebody who may, without the module of tasks. */
export function plantTask(workspace: TestWorkspace, as: Someone, of: { project: string; title: string; assignees?: readonly Someone[]; category?: Row<'tasks'>['status_category'] } & Partial<Row<'tasks'>>) {
  const { project: projectId, title, assignees = [], category = 'todo', ...more } = of
  return asPerson(workspace.app, as.id, 'plant_task', async ctx => {
    const row = await project.demand(ctx, projectId, 'see', 'project_id')
    const column = await status.seen(ctx).selectAll('statuses').where('statuses.project_id', '=', row.id).where('statuses.category', '=', category).executeTakeFirstOrThrow()
    const planted = await ctx.add('tasks', {
      project_id: row.id,
      key: `${row.key}-${++planting}`,
      title,
      status_id: column.id,
      status_category: category,
      priority: 'none',
      priority_rank: 4,
      custom_fields_json: '{}',
      position: `a${planting}`,
      ...more,
    })
    for (const one of assignees) await ctx.add('task_people', { task_id: planted.id, role: 'assignee', person_id: one.id })
    return planted
  })
}

let planting = 0

/** For tests: changes the organization or a person, as an administrator would outside of the operations. */
export async function settle<T extends 'orgs' | 'users'>(workspace: TestWorkspace, table: T, id: string, patch: Partial<Row<T>>): Promise<void> {
  await workspace.app.store.writer.run(async () => {
    await workspace.app.store.write.updateTable(table as 'users').set(patch as never).where('id', '=', id as never).execute()
  })
}

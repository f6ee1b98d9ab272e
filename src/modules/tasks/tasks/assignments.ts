import { z } from 'zod'
import { secret } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { person } from '../../directory/access.ts'
import { task } from '../access.ts'
import { requireAssignable, setAssignees } from './people.ts'
import { presentTask } from '../presentation/presenter.ts'
import { Task } from '../shapes.ts'

export const assignTask = operation({
  name: 'assign_task',
  searchHint: 'give to, hand over, owner, responsible, delegate, unassign, who does it',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/tasks/{task_id}/assignees',
  about: 'Set the assignees of a task; an empty list unassigns it',
  on: {
    task: task.edit,
    assignees: person.see.many.describe('complete list of assignees: ids, email addresses or me'),
  },
  input: {
    note: secret(z.string().max(50_000))
      .optional()
      .describe('markdown; added as a comment when the assignees change'),
  },
  output: Task,
  async handle({ task: row, assignees, note }, ctx) {
    await requireAssignable(ctx, row.project_id, assignees)
    const changed = await setAssignees(ctx, row, assignees)
    if (changed && note?.trim())
      await ctx.call('add_task_comment', { task_id: row.id, body_markdown: note })
    return presentTask(ctx, row.id)
  },
})

import { partPresenter, presenter } from '../../operations/listing/presenters.ts'
import { comment, task, taskTemplate } from './access.ts'
import { presentComments } from './presentation/presenter.ts'
import { presentTasks } from './shapes.ts'
import { presentTemplates } from './templates/presenter.ts'

export const tasksPresenters = [
  presenter(task, {
    operation: 'list_tasks',
    entries: (ctx, rows) => presentTasks(ctx, rows),
    get: { operation: 'get_task', argument: 'task_id' },
  }),
  partPresenter(comment, {
    operation: 'list_task_comments',
    resource: task,
    by: 'task_id',
    entries: presentComments,
  }),
  presenter(taskTemplate, { operation: 'list_task_templates', entries: presentTemplates }),
]

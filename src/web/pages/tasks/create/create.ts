import { randomId, write, type RowChange } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import type { Priority, StatusCategory } from '../../../ui/work/states.tsx'
import { setCursor } from '../../../ui/work/table/selection.ts'

interface NamedRef {
  id: string
  title: string
}

/** A new task, with its names resolved. */
export interface NewTask {
  title: string
  project: NamedRef & { key: string }
  statuses: readonly { name: string; category: StatusCategory; position: number }[]
  status: string | undefined
  priority: Priority
  assignees: readonly NamedRef[]
  labels: readonly NamedRef[]
  day: string | undefined
  minutes: number | undefined
  parent: NamedRef | undefined
  description?: string
}

/** Creates a task; listed immediately, and selected once it has its key. */
export async function createNewTask(task: NewTask): Promise<void> {
  const result = await write(
    'create_task',
    {
      title: task.title,
      project_id: task.project.id,
      priority: task.priority,
      assignee_ids: task.assignees.map((person) => person.id),
      label_ids: task.labels.map((label) => label.id),
      ...(task.status === undefined ? {} : { status: task.status }),
      ...(task.day === undefined ? {} : { due_at: task.day }),
      ...(task.minutes === undefined ? {} : { estimate_minutes: task.minutes }),
      ...(task.parent === undefined ? {} : { parent_id: task.parent.id }),
      ...(task.description ? { description_markdown: task.description } : {}),
    },
    { rows: [optimisticRow(task)], text: t.tasks.create.done(task.title) },
  )
  if (result.state === 'done' && result.value) setCursor(result.value.id)
}

/** The task as displayed before the server has assigned a key. */
function optimisticRow(task: NewTask): RowChange {
  const sortedStatuses = task.statuses.toSorted((a, b) => a.position - b.position)
  const status = sortedStatuses.find(({ name }) => name === task.status) ?? sortedStatuses[0]
  const now = new Date().toISOString()
  return {
    type: 'task',
    id: `new-${randomId()}`,
    add: {
      key: '…',
      title: task.title,
      project: task.project,
      status: status?.name ?? '',
      status_category: status?.category ?? 'todo',
      priority: task.priority,
      assignees: task.assignees,
      labels: task.labels,
      ...(task.day === undefined ? {} : { due_on: task.day }),
      ...(task.parent === undefined ? {} : { parent: task.parent }),
      subtask_counts: { total: 0, done: 0 },
      time_spent_minutes: 0,
      blocked: false,
      blocked_by: [],
      blocks: [],
      custom_fields: {},
      comment_count: 0,
      position: '~',
      watching: true,
      revision: 0,
      created_at: now,
      updated_at: now,
      url: '',
    },
  }
}

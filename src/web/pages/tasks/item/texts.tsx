import { call } from '../../../api/client.ts'
import { t } from '../../../texts/index.ts'
import { operationTextSource } from '../../../ui/conflicts/text-merge.ts'
import { MarkdownInput, TitleInput } from '../../../ui/work/texts.tsx'
import type { TaskRow } from '../data/rows.ts'
import { writeTasks } from '../data/write.ts'
import type { FullTask } from './useTask.ts'

/** Loads and saves a text of a task. */
const taskTextSource = ({ id, key }: TaskRow, field: 'title' | 'description_markdown') =>
  operationTextSource({
    read: async () => {
      const task = await call('get_task', { task_id: id })
      return { text: task[field] ?? '', revision: task.revision }
    },
    operation: 'update_task',
    input: (text, expected_revision) => ({ task_id: id, [field]: text, expected_revision }),
    row: (text) => ({
      type: 'task',
      id,
      set: field === 'title' && text !== null ? { title: text } : {},
    }),
    description: t.tasks.changed(
      key,
      field === 'title' ? t.tasks.set.title : t.tasks.set.description,
    ),
  })

/** The title, edited in place. */
export function TitleField({ row, isHeading }: { row: TaskRow; isHeading: boolean }) {
  return (
    <TitleInput
      title={row.title}
      label={t.tasks.fields.title}
      isHeading={isHeading}
      save={(title) =>
        void writeTasks({
          operation: 'update_task',
          input: { task_id: row.id, title },
          rows: new Map([[row.id, { title }]]),
          text: t.tasks.changed(row.key, t.tasks.set.title),
        })
      }
      mergeSource={{ revision: row.revision, source: taskTextSource(row, 'title') }}
    />
  )
}

/** The description: rendered for reading, edited as Markdown. */
export function DescriptionField({ task }: { task: FullTask }) {
  return (
    <MarkdownInput
      saved={{ text: task.description_markdown ?? '', revision: task.revision }}
      source={taskTextSource(task, 'description_markdown')}
      label={t.tasks.fields.description}
      add={t.tasks.addDescription}
      draft={`description ${task.id}`}
    />
  )
}

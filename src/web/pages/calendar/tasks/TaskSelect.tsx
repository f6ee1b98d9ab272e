import { calendarTexts as t } from '../texts.ts'
import type { EventValues } from '../event/values.ts'
import { useMyTasks } from './data.ts'

interface TaskSelectProps {
  values: EventValues
  change: (patch: Partial<EventValues>) => void
}

/** The task of a focus time: its title becomes the event's title, unless another was entered. */
export function TaskSelect({ values, change }: TaskSelectProps) {
  const tasks = useMyTasks().data?.items ?? []
  const titleOf = (id: string) => tasks.find((task) => task.id === id)?.title
  const defaultTitle = titleOf(values.taskId) ?? t.calendar.form.focus
  const isDefaultTitle = values.title === '' || values.title === defaultTitle
  return (
    <select
      value={values.taskId}
      onChange={({ currentTarget: { value: taskId } }) =>
        change({
          taskId,
          ...(isDefaultTitle && { title: titleOf(taskId) ?? t.calendar.form.focus }),
        })
      }
    >
      <option value="">{t.calendar.tasks.noTask}</option>
      {tasks.map(({ id, key, title }) => (
        <option key={id} value={id}>
          {key} {title}
        </option>
      ))}
    </select>
  )
}

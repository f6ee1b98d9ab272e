import { useDocumentTitle } from '@mantine/hooks'
import { useNavigate, useParams } from '@tanstack/react-router'
import { useEffect } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { useMe } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { AppLink } from '../../../ui/AppLink.tsx'
import { ItemViewers } from '../../../ui/work/Lookers.tsx'
import { Loaded } from '../../items/Found.tsx'
import { openTaskForm } from '../create/open.ts'
import { openTemplateDialog } from '../templates/open.ts'
import { taskRowOf } from '../data/rows.ts'
import { taskCommands } from '../commands.ts'
import { rowAtOffset, setCursor, useOrder } from '../../../ui/work/table/selection.ts'
import { TaskPicker } from '../pick/TaskPicker.tsx'
import { TaskDetail } from './TaskDetail.tsx'
import { useTask } from './useTask.ts'
import styles from './item.module.css'

/** The page of a task. */
export function TaskPage() {
  const { id } = useParams({ strict: false }) as { id: string }
  const taskQuery = useTask(id)
  const { task, row } = taskQuery
  useDocumentTitle(row ? `${row.key} ${row.title}` : t.app.name)
  useTaskKeys(task?.id)
  if (!task || !row) return <Loaded query={taskQuery}>{() => null}</Loaded>
  return (
    <>
      <header className={styles.bar}>
        <nav className={styles.crumbs} aria-label={t.tasks.breadcrumb}>
          <AppLink to="/tasks">{t.tasks.title}</AppLink>
          <span aria-hidden>›</span>
          <AppLink to={`/tasks?project=${row.project.key}`} dir="auto">
            {row.project.title}
          </AppLink>
          <span aria-hidden>›</span>
          <span className={styles.key}>{row.key}</span>
        </nav>
        <ItemViewers itemId={row.id} />
      </header>
      <TaskDetail task={task} row={row} />
      <TaskPicker />
    </>
  )
}

/** Clicks a button of the page. */
const clickButton = (selector: string) => () =>
  document.querySelector<HTMLElement>(selector)?.click()

/** Keyboard commands of a task's page: the same as on its row, and navigation to the next task of the previous list. */
function useTaskKeys(id: string | undefined): void {
  const me = useMe()
  const navigate = useNavigate()
  const hasOthers = useOrder().some((otherId) => otherId !== id && taskRowOf(otherId) !== undefined)
  useEffect(() => {
    if (id !== undefined) setCursor(id)
  }, [id])
  const openTaskAtOffset = (step: number) => () => {
    const otherId = rowAtOffset(step)
    const row = otherId === undefined || otherId === id ? undefined : taskRowOf(otherId)
    if (!row) return false
    setCursor(row.id)
    return void navigate({ to: `/tasks/${row.key}` })
  }
  useCommands({
    ...taskCommands({
      ids: () => (id === undefined ? [] : [id]),
      anchor: () => document.querySelector('[data-values]'),
      me,
    }),
    'list.next': hasOthers ? openTaskAtOffset(1) : undefined,
    'list.previous': hasOthers ? openTaskAtOffset(-1) : undefined,
    'list.back': () => void navigate({ to: '/tasks' }),
    'task.comment': () => document.querySelector<HTMLElement>('[data-comment]')?.focus(),
    'task.link': clickButton('[data-link-task]'),
    'task.repeat': clickButton('[data-repeats]'),
    'task.attachFile': clickButton('[data-attach-file]'),
    'task.attachLink': clickButton('[data-attach-link]'),
    'task.rename': () => document.querySelector<HTMLElement>('[data-title]')?.focus(),
    'task.create': () =>
      openTaskForm({ project: id === undefined ? undefined : taskRowOf(id)?.project.key }),
    'task.fromTemplate': () =>
      openTemplateDialog({ project: id === undefined ? undefined : taskRowOf(id)?.project.key }),
    'task.createSub': () => {
      const row = id === undefined ? undefined : taskRowOf(id)
      if (!row) return false
      return openTaskForm({ project: row.project.key, parent: { id: row.id, title: row.title } })
    },
  })
}

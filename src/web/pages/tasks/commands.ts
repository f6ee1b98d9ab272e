import type { CommandHandlers } from '../../keys/commands.ts'
import { t } from '../../texts/index.ts'
import { copyText } from '../../ui/actions/copy.ts'
import { taskRowOf, type TaskRow } from './data/rows.ts'
import { removeTasks } from './data/remove.ts'
import { applyChange } from './pick/changes.ts'
import { openPicker } from './pick/open.ts'
import type { PickField } from './data/fields.ts'
import { toggleDone } from './pick/done.ts'
import { openSaveTemplateDialog } from './templates/open.ts'

interface TaskCommandOptions {
  /** The tasks that commands apply to. */
  ids: () => readonly string[]
  /** Anchor of a field's list. */
  anchor: () => Element | null
  me: { id: string; title: string }
  /** Called before each, so that the list keeps its order while keys act on it. */
  onBeforeRun?: () => void
}

/** Commands for tasks, the same everywhere: on a row, on the selected ones, on their page. */
export function taskCommands({
  ids,
  anchor,
  me,
  onBeforeRun,
}: TaskCommandOptions): CommandHandlers {
  const withTasks = (run: (ids: readonly string[], rows: readonly TaskRow[]) => unknown) => () => {
    const taskIds = ids()
    const rows = taskIds.map(taskRowOf).filter((row) => row !== undefined)
    if (rows.length === 0) return false
    onBeforeRun?.()
    return run(taskIds, rows)
  }
  const pick = (field: PickField) =>
    withTasks((taskIds) => {
      const anchorElement = anchor()
      if (anchorElement) openPicker({ field, ids: taskIds, anchor: anchorElement })
    })
  return {
    'task.status': pick('status'),
    'task.priority': pick('priority'),
    'task.assignees': pick('assignees'),
    'task.delegate': pick('delegate'),
    'task.labels': pick('labels'),
    'task.due': pick('due'),
    'task.project': pick('project'),
    'task.sprint': pick('sprint'),
    'task.milestone': pick('milestone'),
    'task.done': withTasks((_, rows) => void toggleDone(rows)),
    'task.toMe': withTasks(
      (taskIds) => void applyChange(taskIds, { field: 'assignees', people: [me] }),
    ),
    'task.copyKey': withTasks((_, rows) =>
      copyText(rows.map((row) => row.key).join(' '), t.tasks.copiedKey),
    ),
    'task.copyLink': withTasks((_, rows) =>
      copyText(
        rows.map((row) => `${location.origin}/tasks/${row.key}`).join('\n'),
        t.tasks.copiedLink,
      ),
    ),
    'task.copyPrompt': withTasks((_, rows) =>
      copyText(
        rows.map((row) => t.tasks.prompt(row.key, row.title)).join('\n'),
        t.tasks.copiedPrompt,
      ),
    ),
    'task.saveTemplate': withTasks((_, [row, ...more]) =>
      row && more.length === 0 ? openSaveTemplateDialog(row) : false,
    ),
    'task.delete': withTasks((_, rows) => void removeTasks(rows)),
  }
}

import type { CommandRuns } from '../../keys/commands.ts'
import { t } from '../../texts/index.ts'
import { copyText } from '../../ui/actions/copy.ts'
import { taskRowOf, type TaskRow } from './data/rows.ts'
import { removeTasks } from './data/remove.ts'
import { applyChange } from './pick/changes.ts'
import { openPicker } from './pick/open.ts'
import type { PickField } from './data/fields.ts'
import { toggleDone } from './pick/done.ts'
import { saveAsTemplate } from './templates/open.ts'

interface Acting {
  /** The tasks that commands apply to. */
  ids: () => readonly string[]
  /** Anchor of a field's list. */
  anchor: () => Element | null
  me: { id: string; title: string }
  /** Called before each, so that the list keeps its order while keys act on it. */
  before?: () => void
}

/** Commands for tasks, the same everywhere: on a row, on the selected ones, on their page. */
export function taskCommands({ ids, anchor, me, before }: Acting): CommandRuns {
  const withTasks = (run: (ids: readonly string[], rows: readonly TaskRow[]) => unknown) => () => {
    const tasks = ids()
    const rows = tasks.map(taskRowOf).filter((row) => row !== undefined)
    if (rows.length === 0) return false
    before?.()
    return run(tasks, rows)
  }
  const pick = (field: PickField) =>
    withTasks((tasks) => {
      const at = anchor()
      if (at) openPicker({ field, ids: tasks, anchor: at })
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
      (tasks) => void applyChange(tasks, { field: 'assignees', people: [me] }),
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
      row && more.length === 0 ? saveAsTemplate(row) : false,
    ),
    'task.delete': withTasks((_, rows) => void removeTasks(rows)),
  }
}

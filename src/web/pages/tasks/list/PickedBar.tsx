import { IconX } from '@tabler/icons-react'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import type { CommandId } from '../../../keys/keymap.ts'
import { runCommand } from '../../../keys/commands.ts'
import { t } from '../../../texts/index.ts'
import { openPicker } from '../pick/open.ts'
import type { PickField } from '../data/fields.ts'
import styles from '../tasks.module.css'
import { pickNone, targetIds, usePicked } from '../../../ui/work/table/selection.ts'

const fields: readonly (readonly [PickField, CommandId])[] = [
  ['status', 'task.status'],
  ['priority', 'task.priority'],
  ['assignees', 'task.assignees'],
  ['delegate', 'task.delegate'],
  ['labels', 'task.labels'],
  ['due', 'task.due'],
  ['project', 'task.project'],
  ['sprint', 'task.sprint'],
  ['milestone', 'task.milestone'],
]
const actionCommands: readonly CommandId[] = ['task.done', 'task.delete']

/** Actions on the selected tasks, at the bottom of the list while there are any. */
export function PickedBar() {
  const pickedIds = usePicked()
  if (pickedIds.size === 0) return null
  return (
    <div className={styles.picked} data-picked-bar role="toolbar" aria-label={t.tasks.pickedLabel}>
      <span className={styles.pickedCount} role="status">
        {t.tasks.picked(pickedIds.size)}
      </span>
      {fields.map(([field, command]) => (
        <button
          key={field}
          type="button"
          className={styles.button}
          data-plain
          onClick={(event) => openPicker({ field, ids: targetIds(), anchor: event.currentTarget })}
        >
          {t.tasks.fields[field]} <KeyCombo command={command} />
        </button>
      ))}
      {actionCommands.map((command) => (
        <button
          key={command}
          type="button"
          className={styles.button}
          data-plain
          onClick={() => runCommand(command)}
        >
          {t.keys.commands[command]} <KeyCombo command={command} />
        </button>
      ))}
      <button
        type="button"
        className={styles.button}
        data-plain
        aria-label={t.keys.commands['list.back']}
        onClick={pickNone}
      >
        <IconX size={15} aria-hidden />
      </button>
    </div>
  )
}

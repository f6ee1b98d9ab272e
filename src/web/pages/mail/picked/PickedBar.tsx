import { IconX } from '@tabler/icons-react'
import { runCommand } from '../../../keys/commands.ts'
import { KeyCombo } from '../../../keys/KeyCombo.tsx'
import type { CommandId } from '../../../keys/keymap.ts'
import { Tool } from '../../inbox/Pane.tsx'
import type { Split } from '../splits.ts'
import { mailTexts as t } from '../texts.ts'
import type { PickedThreads } from './usePickedThreads.ts'
import styles from './picked.module.css'

const words = t.handling.picked

interface PickedBarProps {
  picked: PickedThreads
  split: Split
}

/** Actions on the selected conversations, below the list while there are any. */
export function PickedBar({ picked, split }: PickedBarProps) {
  const commands: readonly CommandId[] = [
    ...(split === 'later' || split === 'waiting' ? (['mail.back'] as const) : []),
    'mail.archive',
    'mail.later',
    'mail.labels',
    'mail.read',
    'mail.trash',
  ]
  return (
    <div className={styles.bar} role="toolbar" aria-label={words.bar}>
      <div className={styles.head}>
        <span className={styles.count} role="status">
          {words.count(picked.threads.length)}
        </span>
        <Tool icon={IconX} label={words.clear} onClick={picked.clear} />
      </div>
      {commands.map((command) => (
        <button
          key={command}
          type="button"
          className={styles.deed}
          data-picked-tool={command}
          onClick={() => runCommand(command)}
        >
          {t.keys.commands[command]} <KeyCombo command={command} />
        </button>
      ))}
    </div>
  )
}

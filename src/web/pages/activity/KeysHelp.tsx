import { KeyCombo } from '../../keys/KeyCombo.tsx'
import type { CommandId } from '../../keys/keymap.ts'
import { t } from '../../texts/index.ts'
import styles from './activity.module.css'

const commandIds: readonly CommandId[] = [
  'activity.next',
  'activity.previous',
  'activity.undo',
  'activity.close',
]

/** The keyboard shortcuts of the log. */
export function KeysHelp() {
  return (
    <p className={styles.keys}>
      {commandIds.map((id) => (
        <span key={id}>
          <KeyCombo command={id} /> {t.keys.commands[id]}
        </span>
      ))}
    </p>
  )
}

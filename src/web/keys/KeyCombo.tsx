import type { CommandId } from './keymap.ts'
import { printedKeys } from './match.ts'
import { bindingOf, useCustomKeys } from './own-keys.ts'
import styles from './keys.module.css'

/** The keys of a command, with the labels of the keyboard. */
export function KeyCombo({ command, all = false }: { command: CommandId; all?: boolean }) {
  useCustomKeys()
  const { keys } = bindingOf(command)
  const bindings = all ? keys : keys.slice(0, 1)
  return bindings.map((binding) => <KeyCaps key={binding} keys={binding} />)
}

/** A sequence of keys, each with its modifiers. */
export function KeyCaps({ keys }: { keys: string }) {
  return (
    <span className={styles.keys}>
      {printedKeys(keys).map(({ id, caps }) => (
        <kbd key={id} className={styles.key}>
          {caps.join(' ')}
        </kbd>
      ))}
    </span>
  )
}

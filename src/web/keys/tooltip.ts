import { t } from '../texts/index.ts'
import { textOfKeys } from './key-text.ts'
import type { CommandId } from './keymap.ts'
import { bindingOf } from './own-keys.ts'

/** Tooltip of a button, with its keys. */
export function tooltipOf(id: CommandId, label: string = t.keys.commands[id]): string {
  const [keys] = bindingOf(id).keys
  return keys === undefined ? label : `${label}  ${textOfKeys(keys)}`
}

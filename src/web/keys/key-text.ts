import type { CommandId } from './keymap.ts'
import { printedKeys } from './match.ts'
import { bindingOf } from './own-keys.ts'

/** Keys in a sentence: `Ctrl K`, `G D`. */
export const textOfKeys = (keys: string) =>
  printedKeys(keys)
    .map(({ caps }) => caps.join(' '))
    .join(' ')

/**
 * The first keys of a command for use in a sentence; if it has none, those of the command menu, which also contains
 * it.
 */
export function keyText(id: CommandId): string {
  const [firstKeys] = [...bindingOf(id).keys, ...bindingOf('app.palette').keys]
  return firstKeys === undefined ? '' : textOfKeys(firstKeys)
}

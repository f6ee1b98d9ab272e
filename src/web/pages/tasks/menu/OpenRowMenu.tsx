import { activeCommands, runCommand } from '../../../keys/commands.ts'
import { textOfKeys } from '../../../keys/key-text.ts'
import { groupOf, type CommandId } from '../../../keys/keymap.ts'
import { bindingOf } from '../../../keys/own-keys.ts'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { openRowMenu } from './open.ts'

const listCommands: readonly CommandId[] = ['list.open', 'list.peek', 'list.pick']
const excludedCommands: readonly CommandId[] = ['task.create', 'task.fromTemplate', 'task.import']

/** Menu of the commands for a task, with their keys. */
export function OpenRowMenu({ anchor }: { anchor: Element }) {
  const choices = activeCommands()
    .filter(
      (id) =>
        listCommands.includes(id) || (groupOf(id) === 'task' && !excludedCommands.includes(id)),
    )
    .map((id) => ({ value: id, label: t.keys.commands[id], hint: shortcutOf(id) }))
  return (
    <Picker
      anchor={anchor}
      close={() => openRowMenu(undefined)}
      label={t.tasks.actions}
      choices={(query) => filterChoices(choices, query)}
      choose={(id) => setTimeout(() => runCommand(id))} // once this menu has returned the focus
    />
  )
}

function shortcutOf(id: CommandId): string | undefined {
  const [keys] = bindingOf(id).keys
  return keys === undefined ? undefined : textOfKeys(keys)
}

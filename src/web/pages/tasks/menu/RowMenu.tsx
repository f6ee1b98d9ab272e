import { useSyncExternalStore, type MouseEvent } from 'react'
import { activeCommands, runCommand } from '../../../keys/commands.ts'
import { bindingOf, groupOf, type CommandId } from '../../../keys/keymap.ts'
import { printedKeys } from '../../../keys/match.ts'
import { t } from '../../../texts/index.ts'
import { filterChoices, Picker } from '../../../ui/work/Picker.tsx'
import { selection, setCursor } from '../list/selection.ts'

let anchor: Element | undefined
const listeners = new Set<() => void>()

/** Opens the menu of the row that one is at, or of the selected ones; undefined closes it. */
export function openRowMenu(at: Element | undefined): void {
  anchor = at
  for (const listener of listeners) listener()
}

/** The menu of a row by its button, by the other mouse button or by a long touch. A link keeps the menu of the browser. */
export function rowMenuOf(id: string, event: MouseEvent): void {
  const isButton = event.type === 'click'
  if (!isButton && event.target instanceof Element && event.target.closest('a')) return
  event.preventDefault()
  event.stopPropagation()
  const { picked } = selection()
  if (!picked.has(id)) setCursor(id)
  const row = event.currentTarget
  openRowMenu(isButton ? row : (row.querySelector('[data-anchor]') ?? row))
}

const ofList: readonly CommandId[] = ['list.open', 'list.peek', 'list.pick']
const others: readonly CommandId[] = ['task.create']

/** What can be done with a task, as the list of commands has it, with the keys for it. */
export function RowMenu() {
  const at = useSyncExternalStore(
    (listener) => {
      listeners.add(listener)
      return () => listeners.delete(listener)
    },
    () => anchor,
  )
  if (!at) return null
  const choices = activeCommands()
    .filter((id) => ofList.includes(id) || (groupOf(id) === 'task' && !others.includes(id)))
    .map((id) => ({ value: id, label: t.keys.commands[id], hint: keysOf(id) }))
  return (
    <Picker
      anchor={at}
      close={() => openRowMenu(undefined)}
      label={t.tasks.actions}
      choices={(query) => filterChoices(choices, query)}
      choose={(id) => setTimeout(() => runCommand(id))} // once this menu has given the focus back
    />
  )
}

function keysOf(id: CommandId): string | undefined {
  const [first] = bindingOf(id).keys
  if (first === undefined) return undefined
  return printedKeys(first)
    .map(({ caps }) => caps.join(' '))
    .join(' ')
}

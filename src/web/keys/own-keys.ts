import { useSyncExternalStore } from 'react'
import { bindingOf as keymapOf, commandIds, type CommandId, type KeyBinding } from './keymap.ts'

/** Custom keys by command id, possibly including commands of other app versions. */
export type CustomKeys = Readonly<Record<string, readonly string[]>>

let overrides: CustomKeys = {}
let commandIdsByKeys = commandsByKeys()
const listeners = new Set<() => void>()

/** The keys of a command for this person. A replacement command has those of the replaced one. */
export function bindingOf(id: CommandId): KeyBinding {
  const binding: KeyBinding = keymapOf(id)
  const keys = overrides[binding.insteadOf ?? id]
  return keys === undefined ? binding : { ...binding, keys }
}

/** True if the person customized the keys of the command, or of the one it replaces. */
export function hasCustomKeys(id: CommandId): boolean {
  const { insteadOf }: KeyBinding = keymapOf(id)
  return overrides[insteadOf ?? id] !== undefined
}

const customKeys = (): CustomKeys => overrides

/** Applies a person's keys in this tab. */
export function setCustomKeys(keys: CustomKeys): void {
  if (JSON.stringify(keys) === JSON.stringify(overrides)) return
  overrides = keys
  commandIdsByKeys = commandsByKeys()
  for (const listener of listeners) listener()
}

/** Rerenders the component when the person changes keys. */
export function useCustomKeys(): CustomKeys {
  return useSyncExternalStore(subscribe, customKeys)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The commands with these keys. Custom assignments take precedence over new defaults of the app. */
export const commandsOf = (keys: string): readonly CommandId[] => commandIdsByKeys.get(keys) ?? []

function commandsByKeys(): ReadonlyMap<string, CommandId[]> {
  const idsByKeys = new Map<string, CommandId[]>()
  const customFirst = commandIds.toSorted(
    (a, b) => Number(hasCustomKeys(b)) - Number(hasCustomKeys(a)),
  )
  for (const id of customFirst)
    for (const keys of bindingOf(id).keys) idsByKeys.set(keys, [...(idsByKeys.get(keys) ?? []), id])
  return idsByKeys
}

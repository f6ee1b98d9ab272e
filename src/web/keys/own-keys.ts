import { useSyncExternalStore } from 'react'
import { bindingOf as keymapOf, commandIds, type CommandId, type KeyBinding } from './keymap.ts'

/** Custom keys by command id, possibly including commands of other app versions. */
export type OwnKeys = Readonly<Record<string, readonly string[]>>

let overrides: OwnKeys = {}
let byKeys = commandsByKeys()
const listeners = new Set<() => void>()

/** The keys of a command for this person. A replacement command has those of the replaced one. */
export function bindingOf(id: CommandId): KeyBinding {
  const binding: KeyBinding = keymapOf(id)
  const keys = overrides[binding.insteadOf ?? id]
  return keys === undefined ? binding : { ...binding, keys }
}

/** True if the person customized the keys of the command, or of the one it replaces. */
export function isOwn(id: CommandId): boolean {
  const { insteadOf }: KeyBinding = keymapOf(id)
  return overrides[insteadOf ?? id] !== undefined
}

const ownKeys = (): OwnKeys => overrides

/** Applies a person's keys in this tab. */
export function setOwnKeys(keys: OwnKeys): void {
  if (JSON.stringify(keys) === JSON.stringify(overrides)) return
  overrides = keys
  byKeys = commandsByKeys()
  for (const listener of listeners) listener()
}

/** Rerenders the component when the person changes keys. */
export function useOwnKeys(): OwnKeys {
  return useSyncExternalStore(subscribe, ownKeys)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The commands with these keys. Custom assignments take precedence over new defaults of the app. */
export const commandsOf = (keys: string): readonly CommandId[] => byKeys.get(keys) ?? []

function commandsByKeys(): ReadonlyMap<string, CommandId[]> {
  const idsByKeys = new Map<string, CommandId[]>()
  const ownFirst = commandIds.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
  for (const id of ownFirst)
    for (const keys of bindingOf(id).keys) idsByKeys.set(keys, [...(idsByKeys.get(keys) ?? []), id])
  return idsByKeys
}

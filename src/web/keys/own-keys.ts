import { useSyncExternalStore } from 'react'
import { bindingOf as keymapOf, commandIds, type CommandId, type KeyBinding } from './keymap.ts'

/** Keys of commands that a person changed, by the id of the command; those of another version of the app are among them. */
export type OwnKeys = Readonly<Record<string, readonly string[]>>

let overrides: OwnKeys = {}
let byKeys = commandsByKeys()
const listeners = new Set<() => void>()

/** The keys of a command as the person has them. One that stands in for another has the keys of that. */
export function bindingOf(id: CommandId): KeyBinding {
  const binding: KeyBinding = keymapOf(id)
  const keys = overrides[binding.insteadOf ?? id]
  return keys === undefined ? binding : { ...binding, keys }
}

/** Whether the person gave the command, or the one that it stands in for, other keys. */
export function isOwn(id: CommandId): boolean {
  const { insteadOf }: KeyBinding = keymapOf(id)
  return overrides[insteadOf ?? id] !== undefined
}

const ownKeys = (): OwnKeys => overrides

/** Has the keys of a person hold from now on, in this tab. */
export function setOwnKeys(keys: OwnKeys): void {
  if (JSON.stringify(keys) === JSON.stringify(overrides)) return
  overrides = keys
  byKeys = commandsByKeys()
  for (const listener of listeners) listener()
}

/** Draws the component again when the person changes keys. */
export function useOwnKeys(): OwnKeys {
  return useSyncExternalStore(subscribe, ownKeys)
}

function subscribe(listener: () => void): () => void {
  listeners.add(listener)
  return () => void listeners.delete(listener)
}

/** The commands of these keys. Those that the person gave them come first, should the app have got another one with the same. */
export const commandsOf = (keys: string): readonly CommandId[] => byKeys.get(keys) ?? []

function commandsByKeys(): ReadonlyMap<string, CommandId[]> {
  const idsByKeys = new Map<string, CommandId[]>()
  const ownFirst = commandIds.toSorted((a, b) => Number(isOwn(b)) - Number(isOwn(a)))
  for (const id of ownFirst)
    for (const keys of bindingOf(id).keys) idsByKeys.set(keys, [...(idsByKeys.get(keys) ?? []), id])
  return idsByKeys
}

import { isSingleKeys } from './commands.ts'
import { bindingOf as keymapOf, commandIds, groupOf, type CommandId } from './keymap.ts'
import { bindingOf, type CustomKeys } from './own-keys.ts'
import { reservedReason, type ReservedReason } from './reserved.ts'

export type KeyProblem =
  | { kind: ReservedReason | 'typing' | 'same' }
  /** Other commands on the same pages have these keys. */
  | { kind: 'taken'; owners: readonly CommandId[] }
  /** One is the first key of the other's sequence. */
  | { kind: 'beginning'; command: CommandId; keys: string }

/** Not customizable: keys that the browser turns into its own events, or that fields handle themselves. */
const fixedCommands: readonly CommandId[] = ['table.copy', 'table.paste', 'list.back', 'chat.back']

/** True if a person can change the command's keys; a replacement command uses those of the replaced one. */
export const canChange = (id: CommandId): boolean =>
  groupOf(id) !== 'text' && !fixedCommands.includes(id) && keymapOf(id).insteadOf === undefined

/** True if two commands can be active at the same time, and one does not replace the other. */
export function canConflict(a: CommandId, b: CommandId): boolean {
  const [first, second] = [keymapOf(a), keymapOf(b)]
  if (first.insteadOf === b || second.insteadOf === a) return false
  return (
    first.scope === second.scope || first.scope === 'everywhere' || second.scope === 'everywhere'
  )
}

/** True if one is the first key of the other. */
const beginsOther = (a: string, b: string) => a.startsWith(`${b} `) || b.startsWith(`${a} `)

/** Finds a reason against these keys for a command, besides those it already has. */
export function keyProblem(id: CommandId, keys: string): KeyProblem | undefined {
  const steps = keys.split(' ')
  const reserved = steps.map(reservedReason).find((reason) => reason !== undefined)
  if (reserved) return { kind: reserved }
  if (bindingOf(id).keys.includes(keys)) return { kind: 'same' }
  if (keymapOf(id).whileTyping && (steps.length > 1 || isSingleKeys(keys)))
    return { kind: 'typing' }
  const conflicting = commandIds.filter((other) => other !== id && canConflict(id, other))
  for (const other of conflicting) {
    const prefixKeys = bindingOf(other).keys.find((otherKeys) => beginsOther(otherKeys, keys))
    if (prefixKeys !== undefined) return { kind: 'beginning', command: other, keys: prefixKeys }
  }
  const owners = conflicting.filter((other) => bindingOf(other).keys.includes(keys))
  return owners.length > 0 ? { kind: 'taken', owners } : undefined
}

/** True if all of these commands can lose their keys; the command menu keeps its last ones. */
export const canLoseKeys = (ids: readonly CommandId[], keys: string): boolean =>
  ids.every((id) => canChange(id) && !isLastMenuKey(id, keys))

/** The command menu leads to everything else, so it must always have keys. */
export const isLastMenuKey = (id: CommandId, keys: string): boolean =>
  id === 'app.palette' && bindingOf(id).keys.every((binding) => binding === keys)

/**
 * The keys of commands after assigning `keys` to `id` in place of `replaced` (undefined: in addition). Commands that
 * had them get the replaced ones if there is no conflict, and otherwise lose them.
 */
export function keyChanges(
  id: CommandId,
  keys: string,
  replaced: string | undefined,
  previousOwners: readonly CommandId[],
): CustomKeys {
  const currentKeys = bindingOf(id).keys
  const newKeys =
    replaced === undefined
      ? [...currentKeys, keys]
      : currentKeys.map((currentKey) => (currentKey === replaced ? keys : currentKey))
  const reassigned = previousOwners.map((owner) => [
    owner,
    bindingOf(owner).keys.flatMap((ownerKey) => {
      if (ownerKey !== keys) return [ownerKey]
      return replaced !== undefined && canTakeKeys(owner, replaced, id) ? [replaced] : []
    }),
  ])
  return Object.fromEntries([[id, newKeys], ...reassigned])
}

/** True if a command can have keys that `giver` releases. */
export function canTakeKeys(id: CommandId, keys: string, giver: CommandId): boolean {
  const problem = keyProblem(id, keys)
  return (
    problem === undefined ||
    (problem.kind === 'taken' && problem.owners.every((owner) => owner === giver))
  )
}

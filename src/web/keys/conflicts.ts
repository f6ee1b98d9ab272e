import { isSingleKeys } from './commands.ts'
import { bindingOf as keymapOf, commandIds, groupOf, type CommandId } from './keymap.ts'
import { bindingOf, type OwnKeys } from './own-keys.ts'
import { reservedReason, type ReservedReason } from './reserved.ts'

export type KeyProblem =
  | { kind: ReservedReason | 'typing' | 'same' }
  /** Other commands of the same screens have these keys. */
  | { kind: 'taken'; by: readonly CommandId[] }
  /** One of both is the first of two keys. */
  | { kind: 'beginning'; of: CommandId; keys: string }

/** Fixed: what the browser turns into an event of its own, and what fields take by themselves. */
const fixed: readonly CommandId[] = ['table.copy', 'table.paste', 'list.back', 'chat.back']

/** Whether a person can give the command keys; one that stands in for another has those of that. */
export const canChange = (id: CommandId): boolean =>
  groupOf(id) !== 'text' && !fixed.includes(id) && keymapOf(id).insteadOf === undefined

/** Whether two commands can be there at the same time, and are not one in place of the other. */
export function canMeet(a: CommandId, b: CommandId): boolean {
  const [first, second] = [keymapOf(a), keymapOf(b)]
  if (first.insteadOf === b || second.insteadOf === a) return false
  return (
    first.where === second.where || first.where === 'everywhere' || second.where === 'everywhere'
  )
}

/** Whether one is the first key of the other. */
const beginsOther = (a: string, b: string) => a.startsWith(`${b} `) || b.startsWith(`${a} `)

/** Finds a reason against these keys for a command, besides those it already has. */
export function keyProblem(id: CommandId, keys: string): KeyProblem | undefined {
  const steps = keys.split(' ')
  const theirs = steps.map(reservedReason).find((reason) => reason !== undefined)
  if (theirs) return { kind: theirs }
  if (bindingOf(id).keys.includes(keys)) return { kind: 'same' }
  if (keymapOf(id).whileTyping && (steps.length > 1 || isSingleKeys(keys)))
    return { kind: 'typing' }
  const others = commandIds.filter((other) => other !== id && canMeet(id, other))
  for (const other of others) {
    const begins = bindingOf(other).keys.find((theirs) => beginsOther(theirs, keys))
    if (begins !== undefined) return { kind: 'beginning', of: other, keys: begins }
  }
  const by = others.filter((other) => bindingOf(other).keys.includes(keys))
  return by.length > 0 ? { kind: 'taken', by } : undefined
}

/** Whether all of these commands can give their keys away; the menu of commands keeps its last ones. */
export const canGiveUp = (ids: readonly CommandId[], keys: string): boolean =>
  ids.every((id) => canChange(id) && !isLastOfMenu(id, keys))

/** The command menu leads to everything else: it has keys at all times. */
export const isLastOfMenu = (id: CommandId, keys: string): boolean =>
  id === 'app.palette' && bindingOf(id).keys.every((binding) => binding === keys)

/**
 * The keys of commands once `id` has `keys` in place of `replaced` (undefined: besides those that it has). Commands that had them get
 * the replaced ones, where nothing stands against it, and else lose them.
 */
export function keyChanges(
  id: CommandId,
  keys: string,
  replaced: string | undefined,
  losers: readonly CommandId[],
): OwnKeys {
  const currentKeys = bindingOf(id).keys
  const next =
    replaced === undefined
      ? [...currentKeys, keys]
      : currentKeys.map((old) => (old === replaced ? keys : old))
  const reassigned = losers.map((loser) => [
    loser,
    bindingOf(loser).keys.flatMap((old) => {
      if (old !== keys) return [old]
      return replaced !== undefined && fits(loser, replaced, id) ? [replaced] : []
    }),
  ])
  return Object.fromEntries([[id, next], ...reassigned])
}

/** Whether a command can have keys that `giver` gives up. */
export function fits(id: CommandId, keys: string, giver: CommandId): boolean {
  const problem = keyProblem(id, keys)
  return (
    problem === undefined || (problem.kind === 'taken' && problem.by.every((by) => by === giver))
  )
}

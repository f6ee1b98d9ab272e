import { isSingleKeys } from './commands.ts'
import { bindingOf as keymapOf, commandIds, groupOf, type CommandId } from './keymap.ts'
import { bindingOf, type OwnKeys } from './own-keys.ts'
import { reservedReason, type ReservedReason } from './reserved.ts'

export type KeyProblem =
  | { kind: ReservedReason | 'typing' | 'same' }
  /** Other commands on the same pages have these keys. */
  | { kind: 'taken'; by: readonly CommandId[] }
  /** One is the first key of the other's sequence. */
  | { kind: 'beginning'; command: CommandId; keys: string }

/** Not customizable: keys that the browser turns into its own events, or that fields handle themselves. */
const fixed: readonly CommandId[] = ['table.copy', 'table.paste', 'list.back', 'chat.back']

/** True if a person can change the command's keys; a replacement command uses those of the replaced one. */
export const canChange = (id: CommandId): boolean =>
  groupOf(id) !== 'text' && !fixed.includes(id) && keymapOf(id).insteadOf === undefined

/** True if two commands can be active at the same time, and one does not replace the other. */
export function canMeet(a: CommandId, b: CommandId): boolean {
  const [first, second] = [keymapOf(a), keymapOf(b)]
  if (first.insteadOf === b || second.insteadOf === a) return false
  return (
    first.where === second.where || first.where === 'everywhere' || second.where === 'everywhere'
  )
}

/** True if one is the first key of the other. */
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
    if (begins !== undefined) return { kind: 'beginning', command: other, keys: begins }
  }
  const by = others.filter((other) => bindingOf(other).keys.includes(keys))
  return by.length > 0 ? { kind: 'taken', by } : undefined
}

/** True if all of these commands can lose their keys; the command menu keeps its last ones. */
export const canGiveUp = (ids: readonly CommandId[], keys: string): boolean =>
  ids.every((id) => canChange(id) && !isLastOfMenu(id, keys))

/** The command menu leads to everything else, so it must always have keys. */
export const isLastOfMenu = (id: CommandId, keys: string): boolean =>
  id === 'app.palette' && bindingOf(id).keys.every((binding) => binding === keys)

/**
 * The keys of commands after assigning `keys` to `id` in place of `replaced` (undefined: in addition). Commands that
 * had them get the replaced ones if there is no conflict, and otherwise lose them.
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

/** True if a command can have keys that `giver` gives up. */
export function fits(id: CommandId, keys: string, giver: CommandId): boolean {
  const problem = keyProblem(id, keys)
  return (
    problem === undefined || (problem.kind === 'taken' && problem.by.every((by) => by === giver))
  )
}

import { canGiveUp, keyChanges, fits, keyProblem } from '../../../keys/conflicts.ts'
import { textOfKeys } from '../../../keys/key-text.ts'
import type { CommandId } from '../../../keys/keymap.ts'
import { bindingOf, type OwnKeys } from '../../../keys/own-keys.ts'
import { settingsTexts as t } from '../texts.ts'

const { dialog } = t.shortcuts
const maxKeys = 4

/** One way to assign the pressed keys to a command. */
export interface KeyChoice {
  label: string
  changes: OwnKeys
}

/** Choices for pressed keys, the most likely first; none if the keys cannot be used. */
export function keyChoicesOf(id: CommandId, pressed: string): KeyChoice[] {
  const problem = keyProblem(id, pressed)
  const losers = problem?.kind === 'taken' ? problem.by : []
  if (problem !== undefined && (problem.kind !== 'taken' || !canGiveUp(losers, pressed))) return []
  const currentKeys = bindingOf(id).keys
  const replacing = currentKeys.map((replaced) => ({
    label: labelOf(id, pressed, replaced, losers),
    changes: keyChanges(id, pressed, replaced, losers),
  }))
  if (currentKeys.length >= maxKeys) return replacing
  const [loser] = losers
  const adding = {
    label: loser === undefined ? dialog.add : dialog.take(t.keys.commands[loser]),
    changes: keyChanges(id, pressed, undefined, losers),
  }
  return [...replacing, adding]
}

function labelOf(
  id: CommandId,
  pressed: string,
  replaced: string,
  losers: readonly CommandId[],
): string {
  const [loser] = losers
  const old = textOfKeys(replaced)
  if (loser === undefined) return dialog.instead(old)
  return losers.every((other) => fits(other, replaced, id))
    ? dialog.swap(textOfKeys(pressed), old)
    : dialog.takeInstead(old, t.keys.commands[loser])
}

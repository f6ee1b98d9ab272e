import { canLoseKeys, keyChanges, canTakeKeys, keyProblem } from '../../../keys/conflicts.ts'
import { textOfKeys } from '../../../keys/key-text.ts'
import type { CommandId } from '../../../keys/keymap.ts'
import { bindingOf, type CustomKeys } from '../../../keys/own-keys.ts'
import { settingsTexts as t } from '../texts.ts'

const { dialog } = t.shortcuts
const maxKeys = 4

/** One way to assign the pressed keys to a command. */
export interface KeyChoice {
  label: string
  changes: CustomKeys
}

/** Choices for pressed keys, the most likely first; none if the keys cannot be used. */
export function keyChoicesOf(id: CommandId, pressedKeys: string): KeyChoice[] {
  const problem = keyProblem(id, pressedKeys)
  const previousOwners = problem?.kind === 'taken' ? problem.owners : []
  if (
    problem !== undefined &&
    (problem.kind !== 'taken' || !canLoseKeys(previousOwners, pressedKeys))
  )
    return []
  const currentKeys = bindingOf(id).keys
  const replaceChoices = currentKeys.map((replaced) => ({
    label: labelOf(id, pressedKeys, replaced, previousOwners),
    changes: keyChanges(id, pressedKeys, replaced, previousOwners),
  }))
  if (currentKeys.length >= maxKeys) return replaceChoices
  const [firstOwner] = previousOwners
  const addChoice = {
    label: firstOwner === undefined ? dialog.add : dialog.take(t.keys.commands[firstOwner]),
    changes: keyChanges(id, pressedKeys, undefined, previousOwners),
  }
  return [...replaceChoices, addChoice]
}

function labelOf(
  id: CommandId,
  pressedKeys: string,
  replaced: string,
  previousOwners: readonly CommandId[],
): string {
  const [firstOwner] = previousOwners
  const replacedText = textOfKeys(replaced)
  if (firstOwner === undefined) return dialog.instead(replacedText)
  return previousOwners.every((other) => canTakeKeys(other, replaced, id))
    ? dialog.swap(textOfKeys(pressedKeys), replacedText)
    : dialog.takeInstead(replacedText, t.keys.commands[firstOwner])
}

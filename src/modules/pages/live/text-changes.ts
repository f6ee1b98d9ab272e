import { ChangeSet } from '@codemirror/state'
import { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'

// A text change as sent by editors: in text order, how many characters stay, and how many are replaced by which lines.
// Only line feeds separate lines, so that positions count characters of the stored text.

/** Maximum characters inserted by a step. */
const maxInserted = 100_000
/** Maximum ranges in a step. */
const maxStepParts = 2000
/** Maximum ranges for a whole text: unchanged ones, and up to 2,000 differences. */
const maxTextParts = 5000

const ChangePart = z.union([
  z.int().min(0),
  z.tuple(
    [z.int().min(0)],
    z.string().refine((line) => !line.includes('\n'), 'contains a line feed'),
  ),
])

/** The JSON of a change. */
export const ChangesJson = z
  .array(ChangePart)
  .max(maxStepParts)
  .describe(
    'in text order: a number of unchanged characters, or `[n, …lines]` to replace n characters with the lines',
  )
export type ChangesJson = z.infer<typeof ChangesJson>

/** The same for a text saved as a whole; insertions are limited by the request size. */
export const TextChanges = z
  .array(ChangePart)
  .max(maxTextParts)
  .describe('as the `changes` of steps')
export type TextChanges = z.infer<typeof TextChanges>

/** @throws Refusal invalid_argument if it inserts too much */
export function readChanges(json: ChangesJson): ChangeSet {
  const inserted = json.reduce<number>(
    (sum, part) =>
      typeof part === 'number'
        ? sum
        : part.slice(1).reduce<number>((all, line) => all + String(line).length + 1, sum),
    0,
  )
  if (inserted > maxInserted)
    throw invalid(
      'changes',
      `inserts more than ${maxInserted} characters at once.`,
      'Send it in several steps.',
    )
  return ChangeSet.fromJSON(json)
}

/** Number of characters added and removed. */
export function charsChanged(changes: ChangeSet): number {
  let size = 0
  changes.iterChanges((fromA, toA, fromB, toB) => {
    size += toA - fromA + (toB - fromB)
  }, true)
  return size
}

/** The lines of the changed text that a change touched, joined. */
export function touchedLines(after: string, changes: ChangeSet): string {
  const lines: string[] = []
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    const end = after.indexOf('\n', to)
    lines.push(after.slice(after.lastIndexOf('\n', from - 1) + 1, end === -1 ? undefined : end))
  })
  return lines.join('\n')
}

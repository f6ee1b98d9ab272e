import { ChangeSet } from '@codemirror/state'
import { z } from 'zod'
import { invalid } from '../../../kernel/refusal.ts'

// A change of a text, as editors send it: in the order of the text, how many characters stay, and how many are replaced by
// which lines. Line feeds alone part lines, so that a position counts characters of the text as it is stored.

/** Characters that one step may insert. */
const maxInserted = 100_000
/** Stretches that one step may have. */
const maxStretches = 2000
/** Stretches of a whole text: those that stay, and the at most 2,000 in which two texts are found to differ. */
const maxTextStretches = 5000

const stretches = z.union([
  z.int().min(0),
  z.tuple(
    [z.int().min(0)],
    z.string().refine((line) => !line.includes('\n'), 'contains a line feed'),
  ),
])

/** The JSON of a change. */
export const ChangesJson = z
  .array(stretches)
  .max(maxStretches)
  .describe(
    'in the order of the text: a number for characters that stay, `[n, …lines]` for n characters that the lines replace',
  )
export type ChangesJson = z.infer<typeof ChangesJson>

/** The same of a text that is saved as a whole; how much it inserts is bounded by the size of a request. */
export const TextChanges = z
  .array(stretches)
  .max(maxTextStretches)
  .describe('as the `changes` of steps')
export type TextChanges = z.infer<typeof TextChanges>

/** @throws Refusal invalid_argument where it inserts too much */
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

/** Characters that a change adds and removes. */
export function charsChanged(changes: ChangeSet): number {
  let size = 0
  changes.iterChanges((fromA, toA, fromB, toB) => {
    size += toA - fromA + (toB - fromB)
  }, true)
  return size
}

/** The lines of a text that a change has just touched. */
export function touchedLines(after: string, changes: ChangeSet): string {
  const lines: string[] = []
  changes.iterChangedRanges((_fromA, _toA, from, to) => {
    const end = after.indexOf('\n', to)
    lines.push(after.slice(after.lastIndexOf('\n', from - 1) + 1, end === -1 ? undefined : end))
  })
  return lines.join('\n')
}

// Text changes as sets of replacements that can be mapped over each other. Only line feeds separate lines, so that
// positions count characters of the stored text.

import { ChangeSet, Text } from '@codemirror/state'
import { lineHunks } from './merge.ts'
import { changedRange } from './stretch.ts'

/** Maximum characters of a page edited live; longer ones are saved as a whole. */
export const maxLiveChars = 1_000_000

/** Applies a change to a text. @throws RangeError if the change is for a text of another length */
export function applyTextChanges(text: string, changes: ChangeSet): string {
  if (changes.length !== text.length) throw new RangeError('The change is of another text.')
  const pieces: string[] = []
  let at = 0
  changes.iterChanges((...[from, to, , , inserted]) => {
    pieces.push(text.slice(at, from), inserted.toString())
    at = to
  }, true)
  return pieces.join('') + text.slice(at)
}

/**
 * Computes the changes that turn one text into another: equal lines stay, and within a changed line its common
 * beginning and end.
 */
export function changesBetween(before: string, after: string): ChangeSet {
  const starts = lineStarts(before)
  const changes = lineHunks(before, after).map(({ start, end, lines }) => {
    const isLast = end === starts.length - 1
    const isAll = isLast && start === 0
    const [first = 0, next = 0] = [starts[start], starts[end]]
    const from = isLast && !isAll ? first - 1 : first
    const to = isLast ? before.length : next
    const newLines = isLast
      ? lines.map((line, n) => (isAll && n === 0 ? line : `\n${line}`))
      : lines.map((line) => `${line}\n`)
    const old = before.slice(from, to)
    const { start: prefix, end: until, insert } = changedRange(old, newLines.join(''))
    return { from: from + prefix, to: from + until, insert: Text.of(insert.split('\n')) }
  })
  return ChangeSet.of(changes, before.length)
}

/** Offsets at which lines begin, followed by the offset of one more line. */
function lineStarts(text: string): number[] {
  const starts = [0]
  for (let at = text.indexOf('\n'); at !== -1; at = text.indexOf('\n', at + 1)) starts.push(at + 1)
  return [...starts, text.length + 1]
}

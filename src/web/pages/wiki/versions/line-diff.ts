import { diffWordsWithSpace } from 'diff'
import { lineHunks } from '../../../../kernel/text/merge.ts'

/** A part of a line; marked if it differs from the replaced line. */
interface DiffPart {
  text: string
  isMarked: boolean
}

/** A line of both texts or only one, with its number in that text, from 1. */
export interface DiffLine {
  kind: 'same' | 'removed' | 'added'
  number: number
  parts: readonly DiffPart[]
}

/** Omitted unchanged lines. */
interface DiffGap {
  kind: 'gap'
  number: number
  count: number
}

export type DiffRow = DiffLine | DiffGap

/** Unchanged lines shown around a change. */
const contextLines = 3
/** Time budget for marking words; further lines are shown without marks. */
const wordBudgetMs = 150
const maxMarkedChars = 4000
const maxWordEdits = 400
/** Lines with less in common are compared as a whole. */
const minCommonShare = 0.3

/** Compares two texts line by line, with some context around each change; empty if they are equal. */
export function diffRows(before: string, after: string): DiffRow[] {
  const lines = before.split('\n')
  const rows: DiffRow[] = []
  const deadline = performance.now() + wordBudgetMs
  let lineIndex = 0
  let shift = 0 // line index in `after` minus the index in `before`
  const hunks = lineHunks(before, after)
  for (const { start, end, lines: added } of hunks) {
    const context = { before: lineIndex === 0 ? 0 : contextLines, after: contextLines }
    rows.push(...sameRows(lines.slice(lineIndex, start), lineIndex + shift + 1, context))
    rows.push(...changedRows(lines.slice(start, end), added, { start, shift, deadline }))
    lineIndex = end
    shift += added.length - (end - start)
  }
  if (hunks.length > 0)
    rows.push(
      ...sameRows(lines.slice(lineIndex), lineIndex + shift + 1, {
        before: contextLines,
        after: 0,
      }),
    )
  return rows
}

export const countDiffRows = (rows: readonly DiffRow[], kind: 'removed' | 'added') =>
  rows.filter((row) => row.kind === kind).length

function sameRows(
  lines: readonly string[],
  firstNumber: number,
  context: { before: number; after: number },
): DiffRow[] {
  const row = (text: string, index: number): DiffRow => ({
    kind: 'same',
    number: firstNumber + index,
    parts: [{ text, isMarked: false }],
  })
  const hidden = lines.length - context.before - context.after
  const rows = lines.map(row)
  if (hidden < 2) return rows
  const gap: DiffRow = { kind: 'gap', number: firstNumber + context.before, count: hidden }
  return [...rows.slice(0, context.before), gap, ...rows.slice(context.before + hidden)]
}

function changedRows(
  removed: readonly string[],
  added: readonly string[],
  { start, shift, deadline }: { start: number; shift: number; deadline: number },
): DiffRow[] {
  const pairs = removed.map((line, index) => markedPair(line, added[index], deadline))
  return [
    ...removed.map(
      (line, index): DiffRow => ({
        kind: 'removed',
        number: start + index + 1,
        parts: pairs[index]?.removed ?? unmarkedLine(line),
      }),
    ),
    ...added.map(
      (line, index): DiffRow => ({
        kind: 'added',
        number: start + shift + index + 1,
        parts: pairs[index]?.added ?? unmarkedLine(line),
      }),
    ),
  ]
}

const unmarkedLine = (text: string): DiffPart[] => [{ text, isMarked: false }]

/** Two lines with differing words marked; undefined if they have little in common or it takes too long. */
function markedPair(
  removed: string,
  added: string | undefined,
  deadline: number,
): { removed: DiffPart[]; added: DiffPart[] } | undefined {
  const timeout = deadline - performance.now()
  if (added === undefined || timeout <= 0) return undefined
  const maxLength = Math.max(removed.length, added.length)
  if (maxLength > maxMarkedChars) return undefined
  const words = diffWordsWithSpace(removed, added, { maxEditLength: maxWordEdits, timeout })
  if (!words) return undefined
  const common = words
    .filter((word) => !word.added && !word.removed)
    .reduce((sum, { value }) => sum + value.length, 0)
  if (common < maxLength * minCommonShare) return undefined
  const parts = (other: 'added' | 'removed') =>
    words
      .filter((word) => !word[other])
      .map(({ value, ...word }) => ({ text: value, isMarked: word.added || word.removed }))
  return { removed: parts('added'), added: parts('removed') }
}

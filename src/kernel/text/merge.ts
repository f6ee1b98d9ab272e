import { diffArrays } from 'diff'

/** Lines that two changes of a text replaced differently. */
export interface MergeConflict {
  /** The number of its first line in `theirs`, from 1. */
  line: number
  /** The original lines, and both replacements. */
  base: readonly string[]
  mine: readonly string[]
  theirs: readonly string[]
}

/** A range of whole lines of a merged text: resolved, or conflicting. */
export type MergePart = { lines: readonly string[] } | { conflict: MergeConflict }

/** Lines from `start` to before `end`, zero-based, replaced by `lines`. */
interface Hunk {
  start: number
  end: number
  lines: readonly string[]
}

/** With more edits, everything between the first and last differing line counts as replaced. */
const maxEdits = 1000
/** Comparisons of lines that one diff may take, about 0.1 s of processor time. */
const maxComparisons = 20_000_000

/**
 * Maximum number of edits for a diff of texts with so many lines in total, at most `max`. A bound on work instead of
 * time, so that the result never depends on the machine or its load.
 */
export function maxEditsFor(lineCount: number, max: number): number {
  return Math.min(max, Math.max(50, Math.floor(maxComparisons / Math.max(1, lineCount))))
}

/**
 * Merges two changes of a text, line by line. Lines changed by only one side are taken from it exactly; insertions at
 * the same place are concatenated, theirs first.
 */
export function mergeParts(base: string, mine: string, theirs: string): MergePart[] {
  const lines = base.split('\n')
  const [ours, others] = [hunksOf(lines, mine.split('\n')), hunksOf(lines, theirs.split('\n'))]
  const parts: MergePart[] = []
  let at = 0
  let line = 1
  const add = (mergedLines: readonly string[]) => {
    if (mergedLines.length > 0) parts.push({ lines: mergedLines })
  }
  for (let group = takeGroup(ours, others); group; group = takeGroup(ours, others)) {
    add(lines.slice(at, group.start))
    line += group.start - at
    at = group.end
    const outcome = mergeGroup(lines, group)
    if ('conflict' in outcome) parts.push({ conflict: { ...outcome.conflict, line } })
    else add(outcome.lines)
    line += applyHunks(lines, group, group.others).length
  }
  add(lines.slice(at))
  return parts
}

/** The text of merged parts; `choose` resolves conflicts. */
export function mergedText(
  parts: readonly MergePart[],
  choose: (conflict: MergeConflict) => readonly string[],
): string {
  return parts
    .flatMap((part) => ('conflict' in part ? choose(part.conflict) : part.lines))
    .join('\n')
}

export function conflictsIn(parts: readonly MergePart[]): MergeConflict[] {
  return parts.flatMap((part) => ('conflict' in part ? [part.conflict] : []))
}

/** Hunks of whole lines that turn one text into another. */
export function lineHunks(before: string, after: string): Hunk[] {
  return hunksOf(before.split('\n'), after.split('\n'))
}

interface Group {
  start: number
  end: number
  ours: readonly Hunk[]
  others: readonly Hunk[]
}

/** Takes the first hunk of both lists, and all hunks that touch the same base lines. */
function takeGroup(ours: Hunk[], others: Hunk[]): Group | undefined {
  const isOursFirst = others[0] === undefined || (ours[0] && isBefore(ours[0], others[0]))
  const first = (isOursFirst ? ours : others).shift()
  if (!first) return undefined
  const ourHunks = isOursFirst ? [first] : []
  const theirs = isOursFirst ? [] : [first]
  let { end } = first
  const take = (from: Hunk[], into: Hunk[]): boolean => {
    const [hunk] = from
    if (!hunk || !isHunkWithin(hunk, first.start, end)) return false
    end = Math.max(end, hunk.end)
    from.shift()
    into.push(hunk)
    return true
  }
  while (take(ours, ourHunks) || take(others, theirs));
  return { start: first.start, end, ours: ourHunks, others: theirs }
}

/** Orders hunks: an insertion before a line precedes the replacement of that line. */
function isBefore(a: Hunk, b: Hunk): boolean {
  return a.start === b.start ? a.end <= b.end : a.start < b.start
}

/** Whether a hunk changes lines of a group, or inserts where the group only inserts. */
function isHunkWithin(hunk: Hunk, start: number, end: number): boolean {
  return hunk.start < end || (hunk.start === start && hunk.end === start && end === start)
}

function mergeGroup(
  base: readonly string[],
  group: Group,
): { lines: readonly string[] } | { conflict: Omit<MergeConflict, 'line'> } {
  const mine = applyHunks(base, group, group.ours)
  const theirs = applyHunks(base, group, group.others)
  if (group.others.length === 0) return { lines: mine }
  if (group.ours.length === 0 || contains(theirs, mine)) return { lines: theirs }
  if (group.start === group.end) return { lines: [...theirs, ...mine] }
  return { conflict: { base: base.slice(group.start, group.end), mine, theirs } }
}

/** The base lines of a group with the changes of one side. */
function applyHunks(
  base: readonly string[],
  group: Group,
  hunks: readonly Hunk[],
): readonly string[] {
  let lines: readonly string[] = []
  let at = group.start
  for (const hunk of hunks) {
    lines = lines.concat(base.slice(at, hunk.start), hunk.lines)
    at = hunk.end
  }
  return lines.concat(base.slice(at, group.end))
}

/** Whether lines are equal to or contained in the others: then this change was saved before, but its response was lost. */
function contains(lines: readonly string[], sought: readonly string[]): boolean {
  if (lines.length === sought.length) return sought.every((line, n) => line === lines[n])
  if (sought.length === 0 || lines.length < sought.length) return false
  return `\n${lines.join('\n')}\n`.includes(`\n${sought.join('\n')}\n`)
}

/** Finds the differences between two lists of lines. */
function hunksOf(before: readonly string[], after: readonly string[]): Hunk[] {
  const maxCommon = Math.min(before.length, after.length)
  let prefixLength = 0
  while (prefixLength < maxCommon && before[prefixLength] === after[prefixLength]) prefixLength++
  let suffixLength = 0
  while (
    suffixLength < maxCommon - prefixLength &&
    before[before.length - 1 - suffixLength] === after[after.length - 1 - suffixLength]
  )
    suffixLength++
  const a = before.slice(prefixLength, before.length - suffixLength)
  const b = after.slice(prefixLength, after.length - suffixLength)
  if (a.length + b.length === 0) return []
  const changes =
    a.length > 0 && b.length > 0
      ? diffArrays(a, b, { maxEditLength: maxEditsFor(a.length + b.length, maxEdits) })
      : undefined
  if (!changes) return [{ start: prefixLength, end: before.length - suffixLength, lines: b }]
  return hunksFrom(changes, prefixLength)
}

interface Change {
  added?: boolean
  removed?: boolean
  value: string[]
}

function hunksFrom(changes: readonly Change[], from: number): Hunk[] {
  const hunks: Hunk[] = []
  let at = from
  let currentHunk: { start: number; lines: string[] } | undefined
  for (const { added, removed, value } of [...changes, { value: [] }]) {
    if (added || removed) {
      currentHunk ??= { start: at, lines: [] }
      if (added) currentHunk.lines = currentHunk.lines.concat(value)
      else at += value.length
      continue
    }
    if (currentHunk) hunks.push({ ...currentHunk, end: at })
    currentHunk = undefined
    at += value.length
  }
  return hunks
}

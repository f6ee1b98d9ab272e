import { maxEditsFor } from '../../../kernel/text/merge.ts'
import { FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatchHunk } from 'diff'

/** Context lines of a change. */
const context = 3
/** Extra lines compared around a difference: a change may also be shown a few lines further up or down. */
const margin = 12
/** With more edits, the text counts as replaced entirely. */
const maxEdits = 1500

/** The unified diff of two texts; empty if equal. Skips equal lines at both ends. */
export function unifiedDiff(
  before: string,
  after: string,
  names: { from: string; to: string },
): string {
  if (before === after) return ''
  const { start, endBefore, endAfter } = differingRange(before, after)
  const skippedLines = countLines(before, start)
  const [a, b] = [before.slice(start, endBefore), after.slice(start, endAfter)]
  const patch = structuredPatch(names.from, names.to, a, b, undefined, undefined, {
    context,
    maxEditLength: maxEditsFor(countLines(a, a.length) + countLines(b, b.length), maxEdits),
  }) ?? {
    oldFileName: names.from,
    newFileName: names.to,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [wholeReplacement(a, b)],
  }
  for (const hunk of patch.hunks) {
    hunk.oldStart += skippedLines
    hunk.newStart += skippedLines
  }
  return formatPatch(patch, FILE_HEADERS_ONLY)
}

/** The range of whole lines in which texts differ, with some context. */
function differingRange(
  before: string,
  after: string,
): { start: number; endBefore: number; endAfter: number } {
  const maxCommon = Math.min(before.length, after.length)
  let commonPrefix = 0
  while (
    commonPrefix < maxCommon &&
    before.charCodeAt(commonPrefix) === after.charCodeAt(commonPrefix)
  )
    commonPrefix++
  let commonSuffix = 0
  while (
    commonSuffix < maxCommon - commonPrefix &&
    before.charCodeAt(before.length - 1 - commonSuffix) ===
      after.charCodeAt(after.length - 1 - commonSuffix)
  )
    commonSuffix++
  const start = startOfLinesBefore(before, commonPrefix)
  const trailingLength =
    endOfLinesAfter(before, before.length - commonSuffix) - (before.length - commonSuffix)
  return {
    start,
    endBefore: before.length - commonSuffix + trailingLength,
    endAfter: after.length - commonSuffix + trailingLength,
  }
}

function startOfLinesBefore(text: string, from: number): number {
  let at = from
  for (let i = 0; i <= margin && at >= 0; i++) at = at === 0 ? -1 : text.lastIndexOf('\n', at - 1)
  return at + 1
}

function endOfLinesAfter(text: string, from: number): number {
  let at = from
  for (let i = 0; i <= margin && at < text.length; i++) {
    const end = text.indexOf('\n', at)
    at = end === -1 ? text.length : end + 1
  }
  return at
}

function countLines(text: string, end: number): number {
  let count = 0
  for (let at = text.indexOf('\n'); at !== -1 && at < end; at = text.indexOf('\n', at + 1)) count++
  return count
}

function wholeReplacement(before: string, after: string): StructuredPatchHunk {
  const old = linesOf(before)
  const now = linesOf(after)
  return {
    oldStart: 1,
    oldLines: old.length,
    newStart: 1,
    newLines: now.length,
    lines: [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)],
  }
}

function linesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

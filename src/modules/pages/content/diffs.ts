import { FILE_HEADERS_ONLY, formatPatch, structuredPatch, type StructuredPatchHunk } from 'diff'

/** Context lines of a change. */
const context = 3
/** Extra lines compared around a difference: a change may also be shown a few lines further up or down. */
const margin = 12
/** Effort limit, above which a text counts as replaced entirely. */
const maxEdits = 4000
const diffTimeoutMs = 300

/** The unified diff of two texts; empty if equal. Skips equal lines at both ends. */
export function unifiedDiff(
  before: string,
  after: string,
  names: { from: string; to: string },
): string {
  if (before === after) return ''
  const { start, endBefore, endAfter } = middle(before, after)
  const passed = countLines(before, start)
  const [a, b] = [before.slice(start, endBefore), after.slice(start, endAfter)]
  const patch = structuredPatch(names.from, names.to, a, b, undefined, undefined, {
    context,
    maxEditLength: maxEdits,
    timeout: diffTimeoutMs,
  }) ?? {
    oldFileName: names.from,
    newFileName: names.to,
    oldHeader: undefined,
    newHeader: undefined,
    hunks: [replaced(a, b)],
  }
  for (const hunk of patch.hunks) {
    hunk.oldStart += passed
    hunk.newStart += passed
  }
  return formatPatch(patch, FILE_HEADERS_ONLY)
}

/** The range of whole lines in which texts differ, with some context. */
function middle(
  before: string,
  after: string,
): { start: number; endBefore: number; endAfter: number } {
  const maxCommon = Math.min(before.length, after.length)
  let same = 0
  while (same < maxCommon && before.charCodeAt(same) === after.charCodeAt(same)) same++
  let tail = 0
  while (
    tail < maxCommon - same &&
    before.charCodeAt(before.length - 1 - tail) === after.charCodeAt(after.length - 1 - tail)
  )
    tail++
  const start = linesBack(before, same)
  const more = linesOn(before, before.length - tail) - (before.length - tail)
  return { start, endBefore: before.length - tail + more, endAfter: after.length - tail + more }
}

function linesBack(text: string, from: number): number {
  let at = from
  for (let i = 0; i <= margin && at >= 0; i++) at = at === 0 ? -1 : text.lastIndexOf('\n', at - 1)
  return at + 1
}

function linesOn(text: string, from: number): number {
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

function replaced(before: string, after: string): StructuredPatchHunk {
  const old = pageLinesOf(before)
  const now = pageLinesOf(after)
  return {
    oldStart: 1,
    oldLines: old.length,
    newStart: 1,
    newLines: now.length,
    lines: [...old.map((line) => `-${line}`), ...now.map((line) => `+${line}`)],
  }
}

function pageLinesOf(text: string): string[] {
  const lines = text.split('\n')
  if (lines.at(-1) === '') lines.pop()
  return lines
}

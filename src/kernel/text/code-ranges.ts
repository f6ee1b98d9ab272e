/** A range of a text: from `start` to before `end`. */
export interface Range {
  start: number
  end: number
}

/**
 * Ranges of fenced, indented and inline code in a Markdown text, in text order. One pass over the lines: a parser would
 * take seconds for the longest pages, and this runs at every write.
 */
export function codeRanges(markdown: string): Range[] {
  const ranges: Range[] = []
  let fence: { mark: string; start: number } | undefined
  let textStart = 0
  let isAfterBlank: boolean = true
  let isInList = false
  const closeText = (at: number) => void addInlineCode(markdown, textStart, at, ranges)
  for (const [start, end] of lineRangesOf(markdown)) {
    const line = markdown.slice(start, Math.min(end, start + 400))
    if (fence) {
      if (isClosingFence(line, fence.mark)) {
        ranges.push({ start: fence.start, end })
        fence = undefined
        textStart = end
      }
      continue
    }
    const mark = openingFence(line)
    const isBlank = /^[\s>]*$/.test(line) && end - start < 400
    const isIndented: boolean =
      !mark && !isBlank && isAfterBlank && !isInList && /^(?: {4}|\t)/.test(line)
    if (mark || isIndented || isBlank) closeText(start)
    if (mark) fence = { mark, start }
    if (isIndented) ranges.push({ start, end })
    if (mark || isIndented || isBlank) textStart = end
    if (/^[\s>]*(?:[-+*]|\d{1,9}[.)])(?:\s|$)/.test(line)) isInList = true
    else if (!isBlank && /^\S/.test(line)) isInList = false
    isAfterBlank = isBlank || isIndented || /^ {0,3}#{1,6}\s/.test(line)
  }
  if (fence) ranges.push({ start: fence.start, end: markdown.length })
  else closeText(markdown.length)
  return ranges
}

function* lineRangesOf(text: string): Generator<[start: number, end: number]> {
  for (let start = 0; start < text.length; ) {
    const at = text.indexOf('\n', start)
    const end = at < 0 ? text.length : at + 1
    yield [start, end]
    start = end
  }
}

/** The marker with which a line opens a fence, including in lists and quotations. */
function openingFence(line: string): string | undefined {
  const [, before, mark, rest] =
    /^((?:[\s>]|[-+*]\s|\d{1,9}[.)]\s)*)(`{3,}|~{3,})([^\n]*)/.exec(line) ?? []
  if (mark === undefined || (mark.startsWith('`') && rest!.includes('`'))) return undefined
  return /^(?: {4,}|\t)/.test(before!) && !/[-+*>\d]/.test(before!) && before!.length > 12
    ? undefined
    : mark
}

function isClosingFence(line: string, mark: string): boolean {
  const [, closing] = /^[\s>]*(`{3,}|~{3,})\s*$/.exec(line) ?? []
  return closing !== undefined && closing[0] === mark[0] && closing.length >= mark.length
}

/** Code spans between equal runs of backticks, within one block of text. */
function addInlineCode(markdown: string, from: number, to: number, ranges: Range[]): void {
  let at = markdown.indexOf('`', from)
  if (at < 0 || at >= to) return
  const runs: Range[] = []
  while (at >= 0 && at < to) {
    let end = at + 1
    while (end < to && markdown[end] === '`') end++
    runs.push({ start: at, end })
    at = markdown.indexOf('`', end)
  }
  const next = nextRunsOfSameLength(runs)
  for (let i = 0; i < runs.length; ) {
    const run = runs[i]!
    const isEscaped = markdown[run.start - 1] === '\\' && markdown[run.start - 2] !== '\\'
    const match = isEscaped ? undefined : next[i]
    if (match === undefined) i++
    else {
      ranges.push({ start: run.start, end: runs[match]!.end })
      i = match + 1
    }
  }
}

/** For each run, the index of the next one of the same length. */
function nextRunsOfSameLength(runs: readonly Range[]): (number | undefined)[] {
  const nextByLength = new Map<number, number>()
  const next: (number | undefined)[] = []
  for (let i = runs.length - 1; i >= 0; i--) {
    const length = runs[i]!.end - runs[i]!.start
    next[i] = nextByLength.get(length)
    nextByLength.set(length, i)
  }
  return next
}

/** Whether a position is outside the ranges, which are sorted; positions must be queried in order. */
export function outside(ranges: readonly Range[]): (at: number) => boolean {
  let i = 0
  return (at) => {
    while (i < ranges.length && ranges[i]!.end <= at) i++
    return i >= ranges.length || at < ranges[i]!.start
  }
}

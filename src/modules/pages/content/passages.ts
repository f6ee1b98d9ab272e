import { Refusal } from '../../../kernel/refusal.ts'
import { placesAsShown } from './shown-text.ts'
import {
  ancestorHeadings,
  requireHeading,
  pageOutline,
  pageSectionOf,
  type Heading,
} from './outline.ts'

// A text edit: a range and its replacement. Everything else stays unchanged.

export interface Edit {
  start: number
  end: number
  text: string
}

export function applyEdit(body: string, { start, end, text }: Edit): string {
  return body.slice(0, start) + text + body.slice(end)
}

const maxCandidates = 20

/**
 * Replaces the only occurrence of a passage: without an exact match, the one that looks the same (see placesAsShown).
 * @throws Refusal with the possible positions, if it occurs several times, or only approximately
 */
export function replacePassage(
  body: string,
  outline: readonly Heading[],
  find: string,
  text: string,
): Edit {
  const exact = offsetsOf(body, find, maxCandidates + 1)
  const places =
    exact.length > 0
      ? exact.map((start) => ({ start, end: start + find.length }))
      : placesAsShown(body, find, maxCandidates + 1)
  const [place] = places
  if (place && places.length === 1) return { ...place, text }
  const starts = places.map(({ start }) => start)
  const candidates = (starts.length > 0 ? starts : approximateOffsets(body, find))
    .slice(0, maxCandidates)
    .map((at) => passageLocation(body, outline, at))
  const several =
    starts.length > maxCandidates ? `more than ${maxCandidates} times` : `${starts.length} times`
  const message =
    starts.length > 0
      ? `find: this passage occurs ${several}.`
      : 'find: this passage is not in the text.'
  const absentHint =
    candidates.length > 0
      ? 'The candidates differ in white space or letter case; send the passage exactly as written.'
      : 'Read the page with get_page and send the passage exactly as written.'
  const hint =
    starts.length > 0
      ? 'Send more of the surrounding text so that it matches only one place.'
      : absentHint
  throw new Refusal('invalid_argument', message, {
    field: 'find',
    hint,
    context: { matches: starts.length, candidates },
  })
}

/** Offsets of a passage in a text, up to a limit. */
function offsetsOf(body: string, passage: string, limit: number): number[] {
  const offsets: number[] = []
  for (
    let at = body.indexOf(passage);
    at !== -1 && offsets.length < limit;
    at = body.indexOf(passage, at + 1)
  )
    offsets.push(at)
  return offsets
}

/** Offsets of a passage in a text, ignoring white space and case. */
function approximateOffsets(body: string, passage: string): number[] {
  const wanted = foldWithOffsets(passage.trim()).text
  if (wanted === '') return []
  const { text, places } = foldWithOffsets(body)
  return offsetsOf(text, wanted, maxCandidates).map((at) => places[at]!)
}

/** A text in lower case with white space collapsed, and the original position of each unit. */
function foldWithOffsets(text: string): { text: string; places: Uint32Array } {
  const units = new Uint16Array(text.length)
  const places = new Uint32Array(text.length)
  let length = 0
  for (let at = 0; at < text.length; at++) {
    const isSpace = isWhite(text.charCodeAt(at))
    if (isSpace && length > 0 && units[length - 1] === 32) continue
    places[length] = at
    units[length++] = isSpace ? 32 : lowerCase(text, at)
  }
  return { text: Buffer.from(units.buffer, 0, 2 * length).toString('utf16le'), places }
}

function isWhite(code: number): boolean {
  if (code === 32 || (code >= 9 && code <= 13)) return true
  return code >= 160 && /\s/.test(String.fromCharCode(code))
}

/** A unit in lower case; letters with a longer lower case, and surrogate pairs, stay. */
function lowerCase(text: string, at: number): number {
  const code = text.charCodeAt(at)
  if (code < 128) return code >= 65 && code <= 90 ? code + 32 : code
  const lower = text[at]!.toLowerCase()
  return lower.length === 1 ? lower.charCodeAt(0) : code
}

function passageLocation(body: string, outline: readonly Heading[], at: number) {
  const from = body.lastIndexOf('\n', at - 1) + 1
  const end = body.indexOf('\n', at)
  const under = outline.findLastIndex((heading) => heading.start <= at)
  const path =
    under === -1
      ? {}
      : {
          section: [...ancestorHeadings(outline, under), outline[under]!]
            .map((heading) => heading.heading)
            .join(' > '),
        }
  return {
    line: newlines(body.slice(0, at)) + 1,
    text: body.slice(from, end === -1 ? body.length : end).slice(0, 200),
    ...path,
  }
}

/**
 * Replaces a section, which ends at the next heading of its level or a higher one. A text that begins with a heading
 * of at least that level replaces its heading too, any other text is placed below it, and an empty one removes the
 * section.
 */
export function replaceSection(
  body: string,
  outline: readonly Heading[],
  section: string,
  text: string,
): Edit {
  const at = requireHeading(outline, section)
  const { start, body: below, end } = pageSectionOf(outline, at, body.length)
  if (text.trim() === '') return { start, end, text: '' }
  const [first] = pageOutline(text)
  const startsWithHeading =
    first !== undefined &&
    text.slice(0, first.start).trim() === '' &&
    first.level <= outline[at]!.level
  const lineEnding = lineEndingOf(body)
  const rest = body.slice(end)
  if (startsWithHeading)
    return {
      start,
      end,
      text: text + separatorAfter(text, rest, lineEnding, body.slice(start, end)),
    }
  const old = body.slice(below, end)
  const headingEnding = body.slice(0, below).endsWith('\n') ? '' : lineEnding
  const formerGap = old.trim() === '' ? lineEnding : leadingBlank(old)
  const space = /^[ \t]*\r?\n/.test(text) ? '' : formerGap
  return {
    start: below,
    end,
    text: headingEnding + space + text + separatorAfter(text, rest, lineEnding, old),
  }
}

/** Separator between a text and `rest`; at the end of the page, a line break only if the replaced text had one. */
function separatorAfter(text: string, rest: string, lineEnding: string, replaced: string): string {
  if (rest === '') return text.endsWith('\n') || !replaced.endsWith('\n') ? '' : lineEnding
  if (/\n[ \t]*\r?\n$/.test(text)) return ''
  return text.endsWith('\n') ? lineEnding : lineEnding + lineEnding
}

/** Adds a text at the end, at the start (after front matter), or at the end of a heading's section. */
export function addText(
  body: string,
  outline: readonly Heading[],
  text: string,
  where: { under?: string | undefined; position: 'start' | 'end' },
): Edit {
  const lineEnding = lineEndingOf(body)
  const edge = where.position === 'start' ? frontMatterLength(body) : body.length
  const at = where.under === undefined ? edge : sectionContentEnd(body, outline, where.under)
  const [before, after] = [body.slice(0, at), body.slice(at)]
  return {
    start: at,
    end: at,
    text: gap(before, text, lineEnding) + text + (after === '' ? '' : gap(text, after, lineEnding)),
  }
}

/** The end of a section's last non-blank line. */
function sectionContentEnd(body: string, outline: readonly Heading[], heading: string): number {
  const { body: below, end } = pageSectionOf(
    outline,
    requireHeading(outline, heading, 'under_heading'),
    body.length,
  )
  if (end === body.length) return end
  const blank = trailingBlank(body.slice(below, end))
  return end - blank.length + (/^[ \t]*\r?\n/.exec(blank)?.[0].length ?? 0)
}

/** Leading or trailing blank lines and spaces. Without a pattern, which would be slow on many blank lines. */
function leadingBlank(text: string): string {
  let at = 0
  while (at < text.length && isBlank(text, at)) at++
  return text.slice(0, text.lastIndexOf('\n', at - 1) + 1)
}

function trailingBlank(text: string): string {
  let at = text.length
  while (at > 0 && isBlank(text, at - 1)) at--
  return text.slice(at)
}

function isBlank(text: string, at: number): boolean {
  return text[at] === '\n' || text[at] === '\r' || text[at] === ' ' || text[at] === '\t'
}

function frontMatterLength(body: string): number {
  return /^---[ \t]*\r?\n(?:(?!---)[^\n]*\n)*?---[ \t]*\r?\n/.exec(body)?.[0].length ?? 0
}

/** White space required between two texts: a blank line between blocks, none within a list or table. */
function gap(before: string, after: string, lineEnding: string): string {
  if (before.trim() === '' || after.trim() === '')
    return before === '' || before.endsWith('\n') || after === '' ? '' : lineEnding
  const blanks = newlines(trailingBlank(before)) + newlines(leadingBlank(after))
  const needed = continuesBlock(before, after) ? 1 : 2
  return lineEnding.repeat(Math.max(0, needed - blanks))
}

function newlines(text: string): number {
  return text.split('\n').length - 1
}

/** Whether a text's first line continues the list or table at the end of the other. */
function continuesBlock(before: string, after: string): boolean {
  const kind = (text: string) =>
    /^ {0,3}(?:([-*+])[ \t]|\d{1,9}([.)])[ \t]|(\|))/
      .exec(text)
      ?.slice(1)
      .find((name) => name !== undefined)
  const ended = before.slice(0, before.length - trailingBlank(before).length)
  const last = kind(ended.slice(ended.lastIndexOf('\n') + 1))
  return last !== undefined && last === kind(after.slice(leadingBlank(after).length))
}

function lineEndingOf(text: string): string {
  return /\r\n|\n/.exec(text)?.[0] ?? '\n'
}

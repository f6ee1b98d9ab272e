import { stem } from './stem.ts'

/** The words of a text as the index sees them: lower case, without accents. */
export function wordsOf(text: string): string[] {
  return (
    text
      .normalize('NFKD')
      .replace(/\p{M}+/gu, '')
      .toLowerCase()
      .match(/[\p{L}\p{N}\p{Co}]+/gu) ?? []
  )
}

export function stemsOf(text: string): string[] {
  return wordsOf(text).map(stem)
}

/** Whether any of the stems is in the text. */
export function mentions(text: string, stems: ReadonlySet<string>): boolean {
  return stemsOf(text).some((name) => stems.has(name))
}

/** How alike two texts are: the stems that they share among all that they have, 0 to 1. */
export function likeness(readonlySet: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...readonlySet, ...other]).size
  return all === 0 ? 0 : readonlySet.intersection(other).size / all
}

const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

const mostKnown = 100_000
const known = new Map<string, string>()

/** The stem of a word with its capitals and accents. Remembered: whoever shows a hit looks at each word of its text. */
function stemAsWritten(name: string): string {
  const before = known.get(name)
  if (before !== undefined) return before
  if (known.size >= mostKnown) known.clear()
  const made = stem(wordsOf(name)[0] ?? '')
  known.set(name, made)
  return made
}

/** Markdown as the words that a reader sees: without marks of emphasis, code, headings, lists, quotations and links. */
export function withoutMarkup(markdown: string): string {
  return markdown
    .replaceAll(/!?\[([^\][\n]{0,500})\]\([^()\s]{0,2000}\)/g, '$1')
    .replaceAll(/<((?:https?|mailto):[^<>\s]{1,2000})>/g, '$1')
    .replaceAll(/^[ \t]*(?:(?:#{1,6}|>|[-*+]|\d{1,9}[.)])[ \t]+)+/gm, '')
    .replaceAll(/^[ \t]*(?:```|~~~)[^\n]*$/gm, '')
    .replaceAll(/(?<![\w*\\])(\*{1,3})(?=[^\s*])([^*\n]{0,500}[^\s*])\1(?![\w*])/g, '$2')
    .replaceAll(/(?<![\w\\])(_{1,3})(?=[^\s_])([^\n]{0,500}?[^\s_])\1(?!\w)/g, '$2')
    .replaceAll(/(?<!~)~~(?=\S)([^~\n]{1,500})~~/g, '$1')
    .replaceAll(/`+([^`\n]{1,500})`+/g, '$1')
    .replaceAll(/\\(?=[!-/:-@[-`{-~])/g, '')
}

/**
 * A piece of a text around the place where most of the stems stand close together, on one line, with an ellipsis where it
 * was cut.
 */
export function snippet(markdown: string, stems: ReadonlySet<string>, length = 200): string {
  const text = withoutMarkup(markdown.slice(0, 100_000))
  const found = [...text.slice(0, 100_000).matchAll(word)].flatMap((match) => {
    const name = stemAsWritten(match[0])
    return stems.has(name) ? [{ at: match.index, one: name }] : []
  })
  const best = bestStart(found, length)
  const start =
    best === undefined || best < length / 3 ? 0 : wordStart(text, best - Math.floor(length / 4))
  const end = start + length >= text.length ? text.length : wordEnd(text, start + length)
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).replaceAll(/\s+/g, ' ').trim()}${end < text.length ? ' …' : ''}`.toWellFormed()
}

/** Where words with one of the stems stand in a text: [start, length] in characters, at most 50. */
export function rangesOf(text: string, stems: ReadonlySet<string>): [number, number][] {
  const found: [number, number][] = []
  for (const match of text.matchAll(word)) {
    if (stems.has(stemAsWritten(match[0]))) found.push([match.index, match[0].length])
    if (found.length >= 50) break
  }
  return found
}

/** Where a window with the most different stems begins. */
function bestStart(
  found: readonly { at: number; one: string }[],
  length: number,
): number | undefined {
  let best: { at: number; count: number } | undefined
  const inside = new Map<string, number>()
  let end = 0
  for (const { at, one } of found) {
    while (end < found.length && found[end]!.at < at + length * 0.7)
      inside.set(found[end]!.one, (inside.get(found[end++]!.one) ?? 0) + 1)
    if (!best || inside.size > best.count) best = { at, count: inside.size }
    const left = inside.get(one)! - 1
    if (left === 0) inside.delete(one)
    else inside.set(one, left)
  }
  return best?.at
}

function wordStart(text: string, at: number): number {
  const space = text.slice(Math.max(0, at - 30), at).search(/\s\S*$/)
  return space < 0 ? at : Math.max(0, at - 30) + space + 1
}

function wordEnd(text: string, at: number): number {
  const space = text.slice(at, at + 30).search(/\s/)
  return space < 0 ? at : at + space
}

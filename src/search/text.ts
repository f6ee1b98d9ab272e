import { aclToken } from './index.ts'
import { stem } from './stem.ts'

/** Words that say nothing about the subject of a text. */
const stop = new Set(
  (
    'a about above after again all also am an and any are as at be because been before being below between both but by can cannot could did do does doing don down during each few for from further had has have ' +
    'having he her here hers him his how i if in into is it its itself just me more most my no nor not now of off on once only or other our out over own same she should so some such t than that the their them ' +
    'then there these they this those through to too under until up us very was we were what when where which while who whom why will with would you your s ll re ve d m'
  ).split(' '),
)

const mostTerms = 48
const longestTerm = 64

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

/** What a query asks for. */
export interface Terms {
  /** Any of these may be found: content words, or all words where there are no others. */
  any: string[]
  /** What stood in quotation marks must be found as it is. */
  phrases: string[][]
  /** Where; default: title and body. */
  field?: 'title' | 'body'
}

export function termsOf(query: string): Terms {
  const phrases = [...query.matchAll(/"([^"]*)"/g)]
    .map((match) => wordsOf(match[1]!))
    .filter((words) => words.length > 0)
  const words = [...new Set(wordsOf(query).map((word) => word.slice(0, longestTerm)))]
  const content = words.filter((word) => !stop.has(word))
  return {
    any: (content.length > 0 ? content : words).slice(0, mostTerms),
    phrases: phrases.slice(0, 8).map((words) => words.slice(0, mostTerms)),
  }
}

/**
 * The MATCH expression for a query: words ORed, phrases demanded, all of it quoted, so that no text is a syntax error. With
 * containers, the rows of others do not match, before anything is ranked; with types, nor do those of other types.
 */
export function matchFor(
  { any, phrases, field }: Terms,
  containers?: readonly string[],
  types?: readonly string[],
): string {
  const fields = field ?? 'title body'
  const words = any.length === 0 ? [] : [`{${fields}} : (${any.map(quoted).join(' OR ')})`]
  const demanded = phrases.map((phrase) => `{${fields}} : ${quoted(phrase.join(' '))}`)
  const places =
    containers || types
      ? (containers ?? [undefined]).flatMap((one) =>
          (types ?? [undefined]).map((type) => quoted(aclToken(one, type))),
        )
      : []
  const where = places.length > 0 ? [`acl : (${places.join(' OR ')})`] : []
  return [...where, ...demanded, ...words].map((part) => `(${part})`).join(' AND ')
}

function quoted(text: string): string {
  return `"${text.replaceAll('"', '""')}"`
}

export function stemsOf(text: string): string[] {
  return wordsOf(text).map(stem)
}

/** Stems of the words that say something; of all words where none does. */
export function contentStems(text: string): Set<string> {
  return new Set(termsOf(text).any.map(stem))
}

/** Whether any of the stems is in the text. */
export function mentions(text: string, stems: ReadonlySet<string>): boolean {
  return stemsOf(text).some((one) => stems.has(one))
}

/** How alike two texts are: the stems that they share among all that they have, 0 to 1. */
export function likeness(one: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...one, ...other]).size
  return all === 0 ? 0 : one.intersection(other).size / all
}

const word = /[\p{L}\p{N}\p{M}\p{Co}]+/gu

const mostKnown = 100_000
const known = new Map<string, string>()

/** The stem of a word with its capitals and accents. Remembered: whoever shows a hit looks at each word of its text. */
function stemAsWritten(one: string): string {
  const before = known.get(one)
  if (before !== undefined) return before
  if (known.size >= mostKnown) known.clear()
  const made = stem(wordsOf(one)[0] ?? '')
  known.set(one, made)
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
    const one = stemAsWritten(match[0])
    return stems.has(one) ? [{ at: match.index, one }] : []
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

import { excerptLanguage } from './languages/forms.ts'
import type { StemSet } from './languages/stem-set.ts'
import { stem } from './stem.ts'
import { forEachWord, lowerCaseWords } from './tokens.ts'

export function stemsOf(text: string): string[] {
  return lowerCaseWords(text).map(stem)
}

/** True if the text contains a word with any of the stems. */
export function containsAnyStem(text: string, stems: StemSet): boolean {
  let isMentioned = false
  forEachMatch(text, stems, () => {
    isMentioned = true
    return false
  })
  return isMentioned
}

/** The stems that occur in the text. */
export function stemsIn(text: string, stems: StemSet): Set<string> {
  const present = new Set<string>()
  forEachMatch(text, stems, ({ names }) => {
    for (const name of names) present.add(name)
    return present.size < stems.size
  })
  return present
}

interface StemMatch {
  names: readonly string[]
  start: number
  end: number
}

/** Visits the words of a text with one of the stems, in any form, until told to stop. */
function forEachMatch(text: string, stems: StemSet, visit: (match: StemMatch) => boolean): void {
  const { byHash } = stems
  forEachWord(text, excerptLanguage(text), (token, forms, start, end) => {
    let names = byHash.get(token)
    for (const form of forms) {
      const formNames = byHash.get(form)
      if (formNames) names = names ? [...names, ...formNames] : formNames
    }
    return names ? visit({ names, start, end }) : true
  })
}

/** Similarity of two texts: the share of their stems that both have, 0 to 1. */
export function stemSimilarity(first: ReadonlySet<string>, other: ReadonlySet<string>): number {
  const all = new Set([...first, ...other]).size
  return all === 0 ? 0 : first.intersection(other).size / all
}

/** Markdown as plain text: without marks of emphasis, code, headings, lists, quotations and links. */
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

/** A one-line excerpt of a text from where most of the stems occur close together, with an ellipsis at cuts. */
export function snippet(markdown: string, stems: StemSet, length = 200): string {
  const text = withoutMarkup(markdown.slice(0, 100_000))
  const matches: { at: number; matchedStem: string }[] = []
  forEachMatch(text, stems, ({ names, start }) => {
    matches.push({ at: start, matchedStem: names[0] ?? '' })
    return true
  })
  const best = bestStart(matches, length)
  const start =
    best === undefined || best < length / 3 ? 0 : wordStart(text, best - Math.floor(length / 4))
  const end = start + length >= text.length ? text.length : wordEnd(text, start + length)
  return `${start > 0 ? '… ' : ''}${text.slice(start, end).replaceAll(/\s+/g, ' ').trim()}${end < text.length ? ' …' : ''}`.toWellFormed()
}

/**
 * Finds words with one of the stems in a text: [start, length] in characters, at most 50. Overlapping words form one
 * range.
 */
export function rangesOf(text: string, stems: StemSet): [number, number][] {
  const ranges: [number, number][] = []
  forEachMatch(text, stems, ({ start, end }) => {
    const last = ranges.at(-1)
    if (last && start < last[0] + last[1]) last[1] = Math.max(last[1], end - last[0])
    else ranges.push([start, end - start])
    return ranges.length < 50
  })
  return ranges
}

/** Finds the start of the window with the most different stems. */
function bestStart(
  matches: readonly { at: number; matchedStem: string }[],
  length: number,
): number | undefined {
  let best: { at: number; count: number } | undefined
  const countsInWindow = new Map<string, number>()
  let end = 0
  for (const { at, matchedStem } of matches) {
    while (end < matches.length && matches[end]!.at < at + length * 0.7)
      countsInWindow.set(
        matches[end]!.matchedStem,
        (countsInWindow.get(matches[end++]!.matchedStem) ?? 0) + 1,
      )
    if (!best || countsInWindow.size > best.count) best = { at, count: countsInWindow.size }
    const remaining = countsInWindow.get(matchedStem)! - 1
    if (remaining === 0) countsInWindow.delete(matchedStem)
    else countsInWindow.set(matchedStem, remaining)
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

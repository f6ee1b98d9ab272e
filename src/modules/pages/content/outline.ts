import GithubSlugger from 'github-slugger'
import MarkdownIt from 'markdown-it'
import { removeInvisible } from '../../../kernel/text/invisible.ts'
import { nearestNames } from '../../../kernel/text/nearest.ts'
import { Refusal } from '../../../kernel/refusal.ts'

/** A heading and its position. Headings inside quotations and lists are not in the outline. */
export interface Heading {
  level: number
  /** Its text without markup. */
  heading: string
  /** Anchor of the heading in HTML, generated as on GitHub. */
  anchor: string
  /** Offsets of its first character, and of the following line. */
  start: number
  end: number
  /** Line of its first character, from 1. */
  line: number
}

// Parses only blocks, about 60 times faster than remark; both find the same headings (outline.test.ts).
const markdown = new MarkdownIt('commonmark').enable('strikethrough')

/** The headings of a Markdown text, in order. */
export function pageOutline(text: string): Heading[] {
  const tokens: ReturnType<typeof markdown.parse> = []
  const env: Record<string, unknown> = {}
  markdown.block.parse(
    text.includes('\r') ? text.replaceAll(/\r\n?/g, '\n') : text,
    markdown,
    env,
    tokens,
  )
  const headingTokens = tokens.flatMap((token, i) =>
    token.type === 'heading_open' && token.level === 0
      ? [{ token, content: tokens[i + 1]!.content }]
      : [],
  )
  if (headingTokens.length === 0) return []
  const slugger = new GithubSlugger()
  const offset = lineOffsets(text)
  return headingTokens.map(({ token, content }) => {
    const [from, to] = token.map!
    const heading = plainHeadingText(content, env)
    return {
      level: Number(token.tag.slice(1)),
      heading,
      anchor: slugger.slug(heading),
      start: offset[from]!,
      end: offset[to] ?? text.length,
      line: from + 1,
    }
  })
}

function lineOffsets(text: string): number[] {
  const offsets = [0]
  const ending = text.includes('\r') ? /\r\n?|\n/g : /\n/g
  for (let match = ending.exec(text); match; match = ending.exec(text))
    offsets.push(ending.lastIndex)
  return offsets
}

/** A heading's readable text. */
function plainHeadingText(content: string, env: Record<string, unknown>): string {
  if (!/[*_`[\]<>&\\!~]/.test(content)) return content.replaceAll(/\s+/g, ' ').trim()
  return tokensText(markdown.parseInline(content, env)).replaceAll(/\s+/g, ' ').trim()
}

function tokensText(tokens: ReturnType<typeof markdown.parse>): string {
  return tokens
    .map((token) => {
      if (token.type === 'softbreak' || token.type === 'hardbreak') return ' '
      if (token.children) return tokensText(token.children)
      return token.type === 'text' || token.type === 'code_inline' || token.type === 'text_special'
        ? token.content
        : ''
    })
    .join('')
}

/** A section's range: its heading and everything up to the next one of the same or a higher level. */
export interface PageSection {
  start: number
  /** Offset after the heading. */
  body: number
  end: number
}

export function pageSectionOf(
  outline: readonly Heading[],
  at: number,
  length: number,
): PageSection {
  const { level, start, end: body } = outline[at]!
  const next = outline.slice(at + 1).find((heading) => heading.level <= level)
  return { start, body, end: next?.start ?? length }
}

/** Positions of headings matching a text: by words, anchor, or path ("Setup > Linux"). */
export function headingsNamed(outline: readonly Heading[], text: string): number[] {
  const wanted = text.trim()
  const direct = outline.flatMap((heading, i) => (isHeadingNamed(heading, wanted) ? [i] : []))
  if (direct.length > 0) return direct
  const path = wanted.split(/\s*>\s*/).filter((part) => part !== '')
  if (path.length < 2) return []
  return outline.flatMap((heading, i) =>
    isHeadingNamed(heading, path.at(-1)!) &&
    containsPath(ancestorHeadings(outline, i), path.slice(0, -1))
      ? [i]
      : [],
  )
}

function isHeadingNamed({ level, heading, anchor }: Heading, wanted: string): boolean {
  const [, marks, rest] = /^(#{1,6})\s+(.*)$/s.exec(wanted) ?? []
  if (marks !== undefined && marks.length === level && foldHeading(heading) === foldHeading(rest!))
    return true
  return foldHeading(heading) === foldHeading(wanted) || anchor === wanted.replace(/^#/, '')
}

function foldHeading(text: string): string {
  return removeInvisible(text).normalize('NFC').toLowerCase().replaceAll(/\s+/g, ' ').trim()
}

/** Parent headings, outermost first. */
export function ancestorHeadings(outline: readonly Heading[], at: number): Heading[] {
  const ancestors: Heading[] = []
  let level = outline[at]!.level
  for (let i = at - 1; i >= 0 && level > 1; i--) {
    const heading = outline[i]!
    if (heading.level >= level) continue
    ancestors.unshift(heading)
    level = heading.level
  }
  return ancestors
}

/** Whether the names occur among the headings in this order, possibly with others in between. */
function containsPath(headings: readonly Heading[], path: readonly string[]): boolean {
  let from = 0
  for (const heading of headings)
    if (from < path.length && isHeadingNamed(heading, path[from]!)) from++
  return from === path.length
}

const maxCandidates = 30

/**
 * Position of the only heading that a text names.
 * @throws Refusal with the possible headings, if there is none or several
 */
export function requireHeading(
  outline: readonly Heading[],
  text: string,
  field = 'section',
): number {
  const matches = headingsNamed(outline, text)
  if (matches.length === 1) return matches[0]!
  const candidates = (matches.length > 0 ? matches : similarHeadings(outline, text))
    .slice(0, maxCandidates)
    .map((i) => candidateOf(outline, i))
  const quotedHeading = JSON.stringify(text.slice(0, 100))
  const message =
    matches.length > 1
      ? `${field}: ${matches.length} headings match ${quotedHeading}.`
      : `${field}: this page has no heading ${quotedHeading}.`
  const hint =
    matches.length > 1 ? 'Send the anchor of one of the candidates.' : absentHint(candidates)
  throw new Refusal('invalid_argument', message, { field, hint, context: { candidates } })
}

function absentHint(candidates: readonly unknown[]): string {
  return candidates.length > 0 ? 'Send one of the candidates.' : 'The page has no headings.'
}

function candidateOf(outline: readonly Heading[], at: number) {
  const { level, anchor, line } = outline[at]!
  return {
    path: [...ancestorHeadings(outline, at), outline[at]!]
      .map((heading) => heading.heading)
      .join(' > '),
    level,
    anchor,
    line,
  }
}

/** Similar headings, or else the first ones. */
function similarHeadings(outline: readonly Heading[], text: string): number[] {
  const near = new Set(
    nearestNames(
      text,
      outline.slice(0, 2000).map((heading) => heading.heading),
      maxCandidates,
    ),
  )
  const alike = outline.flatMap((heading, i) => (near.has(heading.heading) ? [i] : []))
  return alike.length > 0 ? alike : outline.map((_, i) => i)
}

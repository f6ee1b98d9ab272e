import { omitNullish } from '../../../kernel/present.ts'
import { codeRanges, outside } from '../../../kernel/text/code-ranges.ts'
import { foldTitle } from '../../../kernel/text/order.ts'
import { isId } from '../../../kernel/ids.ts'

/** A link in a Markdown text. */
export interface LinkSpan {
  /** `[[Title]]`; `[text](target)` or an image; `[name]: target`; `<https://…>`; a bare address. */
  form: 'wiki' | 'inline' | 'definition' | 'angle' | 'bare'
  /** True for an image or an embedded page. */
  isEmbedded: boolean
  /** The complete link; for forms with a text, only from `](` on. */
  start: number
  end: number
  /** Target of the link: an address, a path or a title, without the fragment behind #. */
  target: string
  /** The fragment, including the #; empty if there is none. */
  hash: string
  /** Display text of a wiki link, if it has one. */
  text?: string
  /** Offset at which the target, including its fragment, begins. */
  targetStart: number
  targetEnd: number
}

const wiki = /(!?)\[\[([^[\]\n|]{1,500})(?:\|([^[\]\n]{0,500}))?\]\](?![([])/g
const inline =
  /\]\([ \t]*(<[^<>\n]{0,2000}>|[^\s()<>]{1,2000}(?:\([^\s()]{0,200}\)[^\s()]{0,200}){0,5})(?:\s{1,9}(?:"[^"]{0,500}"|'[^']{0,500}'|\([^()]{0,500}\)))?[ \t]*\)/g
const definition = /^ {0,3}\[(?!\^)[^\]\n]{1,500}\]:[ \t]*(<[^<>\n]{0,2000}>|[^\s<>]{1,2000})/gm
const angle = /<(https?:\/\/[^\s<>]{1,2000})>/g
const bare = /(?<![\w"'(<=\]/])https?:\/\/[^\s<>()[\]"'`]{1,2000}/g

/** Links of a Markdown text, in order; excludes code and escaped brackets. */
export function linkSpans(markdown: string): LinkSpan[] {
  if (!/\]\(|\[\[|\]:|https?:\/\//.test(markdown)) return []
  const candidates = [
    ...matches(markdown, wiki, 'wiki', 2),
    ...matches(markdown, inline, 'inline', 1),
    ...matches(markdown, definition, 'definition', 1),
    ...matches(markdown, angle, 'angle', 1),
    ...matches(markdown, bare, 'bare', 0),
  ].sort((a, b) => a.start - b.start || b.end - a.end)
  const isText = outside(codeRanges(markdown))
  let last = 0
  return candidates.filter((linkSpan) => {
    if (linkSpan.start < last || !isText(linkSpan.start) || isEscaped(markdown, linkSpan.start))
      return false
    last = linkSpan.end
    return true
  })
}

function targetOffset(form: LinkSpan['form'], match: RegExpExecArray, targetText: string): number {
  if (form === 'bare') return 0
  const [text, before] = match
  if (form === 'wiki') return text.indexOf(targetText, before!.length + 2)
  return text.indexOf(targetText, form === 'definition' ? text.indexOf(']:') + 2 : 1)
}

function* matches(
  markdown: string,
  pattern: RegExp,
  form: LinkSpan['form'],
  group: number,
): Generator<LinkSpan> {
  for (const match of markdown.matchAll(pattern)) {
    const targetText = form === 'bare' ? match[0].replace(/[.,:;!?*_~]+$/, '') : match[group]!
    const targetStart = match.index + targetOffset(form, match, targetText)
    const plain = targetText.startsWith('<') ? targetText.slice(1, -1) : targetText
    const at = plain.indexOf('#')
    yield omitNullish({
      form,
      isEmbedded:
        form === 'wiki' ? match[1] === '!' : form === 'inline' && isImage(markdown, match.index),
      start: match.index,
      end: form === 'bare' ? match.index + targetText.length : match.index + match[0].length,
      target: (at < 0 ? plain : plain.slice(0, at)).trim(),
      hash: at < 0 ? '' : plain.slice(at),
      text: form === 'wiki' && match[3] !== undefined ? match[3] : undefined,
      targetStart,
      targetEnd: targetStart + targetText.length,
    })
  }
}

/** Whether the brackets before `](` are those of an image. */
function isImage(markdown: string, at: number): boolean {
  let depth = 1
  for (let i = at - 1; i >= 0 && at - i < 1000; i--) {
    if (markdown[i] === ']' && markdown[i - 1] !== '\\') depth++
    else if (markdown[i] === '[' && markdown[i - 1] !== '\\' && --depth === 0)
      return markdown[i - 1] === '!' && markdown[i - 2] !== '\\'
  }
  return false
}

function isEscaped(markdown: string, at: number): boolean {
  let slashes = 0
  while (markdown[at - 1 - slashes] === '\\') slashes++
  return slashes % 2 === 1
}

/** Replaces links in a text: the callback returns a range and its replacement, or undefined to keep a link. */
export function rewriteLinks(
  markdown: string,
  replacementOf: (link: LinkSpan) => { start: number; end: number; text: string } | undefined,
): string {
  const pieces: string[] = []
  let at = 0
  for (const link of linkSpans(markdown)) {
    const replacement = replacementOf(link)
    if (!replacement) continue
    pieces.push(markdown.slice(at, replacement.start), replacement.text)
    at = replacement.end
  }
  return at === 0 ? markdown : pieces.join('') + markdown.slice(at)
}

/** A link with a new target in its existing form. */
export function withTarget(
  link: LinkSpan,
  target: string,
): { start: number; end: number; text: string } {
  const needsAngles =
    (link.form === 'inline' || link.form === 'definition') && /[\s()<>]/.test(target)
  return {
    start: link.targetStart,
    end: link.targetEnd,
    text: needsAngles ? `<${target.replaceAll(/[<>]/g, encodeURIComponent)}>` : target,
  }
}

/** A link target inside this workspace. */
export type InternalTarget = { page: string } | { title: string } | { file: string }

/**
 * Resolves a link within the workspace at `baseUrl`: to a page by id or by title, or to a file; undefined if it leads
 * elsewhere, or nowhere.
 */
export function internalTargetOf(
  { form, target }: Pick<LinkSpan, 'form' | 'target'>,
  baseUrl: string,
): InternalTarget | undefined {
  if (form === 'wiki') {
    if (target === '') return undefined
    return isId('pag', target) ? { page: target } : { title: target }
  }
  const path = internalPathOf(target, baseUrl)
  if (path === undefined) return undefined
  const last = path.split('?')[0]!.replace(/\/+$/, '').split('/').at(-1)!
  if (isId('pag', last)) return { page: last }
  return isId('fil', last) ? { file: last } : undefined
}

/** The path of an address of this workspace; a path without a host is returned unchanged. */
function internalPathOf(target: string, baseUrl: string): string | undefined {
  if (baseUrl !== '' && target.startsWith(`${baseUrl}/`)) return target.slice(baseUrl.length)
  return /^[a-z][a-z0-9+.-]*:|^\/\//i.test(target) ? undefined : target
}

export type PageLink = { page: string } | { title: string }

const maxLinks = 1000

/** Pages linked from a Markdown text, without duplicates, by id or (folded) title. */
export function linksIn(markdown: string, baseUrl = ''): PageLink[] {
  const linksByKey = new Map<string, PageLink>()
  for (const link of linkSpans(markdown)) {
    const to = internalTargetOf(link, baseUrl)
    if (to && 'page' in to) linksByKey.set(to.page, to)
    if (to && 'title' in to)
      linksByKey.set(`[[${foldTitle(to.title)}`, { title: foldTitle(to.title) })
    if (linksByKey.size >= maxLinks) break
  }
  return [...linksByKey.values()]
}

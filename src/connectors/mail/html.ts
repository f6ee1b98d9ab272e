// Converts a message's HTML to Markdown and to HTML that is safe to show. Runs in the thread of reading.ts. Nothing is
// fetched.

import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { type HtmlNode, attribute } from './hast.ts'
import { divided } from './html-divisions.ts'
import { plainly } from './html-layout.ts'
import {
  Styles,
  type Surroundings,
  isHidden,
  isInvisible,
  isTiny,
  innerSurroundings,
} from './styles.ts'

/** The tree of the libraries, whose nodes HtmlNode describes loosely. */
type Root = Parameters<typeof writing.runSync>[0]

const reading = unified().use(rehypeParse)
// Mail is full of single line breaks: they stay line breaks, without a marker at the end of each line.
const breaks = (_: unknown, _parent: unknown, state: { stack: readonly string[] }) =>
  state.stack.some((name) => name === 'tableCell' || name === 'headingAtx') ? ' ' : '\n'
const converting = unified()
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, {
    bullet: '-',
    emphasis: '_',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
    handlers: { break: breaks },
  })
// Removes ids, classes and remote pictures, which would tell the sender that the message was read.
const schema = {
  ...defaultSchema,
  attributes: {
    ...defaultSchema.attributes,
    '*': (defaultSchema.attributes!['*'] ?? []).filter(
      (propertyDefinition) => propertyDefinition !== 'id' && propertyDefinition !== 'className',
    ),
    a: ['href', 'title'],
    img: ['src', 'alt', 'width', 'height'],
  },
  protocols: { src: ['cid'], href: ['http', 'https', 'mailto', 'tel'] },
  tagNames: defaultSchema.tagNames!.filter(
    (name) => name !== 'input' && name !== 'picture' && name !== 'source',
  ),
}
const writing = unified().use(rehypeSanitize, schema).use(rehypeStringify)

const deepest = 400
const maxHtmlLength = 1_500_000

/** Whether the HTML is too long or too deep to be read as a tree. */
export function isTooMuch(html: string): boolean {
  if (html.length > maxHtmlLength) return true
  let depth = 0
  for (const [, closes, closed] of html.matchAll(
    /<(\/?)(?!(?:area|br|col|dd|dt|hr|img|input|li|link|meta|option|p|td|th|tr|wbr|o:p)\b)[a-z][^<>]*?(\/?)>/gi,
  )) {
    if (closes) depth = Math.max(0, depth - 1)
    else if (!closed) depth += 1
    if (depth > deepest) return true
  }
  return false
}

/** The text of HTML too large for a tree: strips tags, and hidden text where it is easily recognized. */
export function strippedOf(html: string): string {
  return html
    .slice(0, 5_000_000)
    .replaceAll(
      /<(script|style|head|title|template|svg|select)\b[^>]*>[\s\S]{0,1000000}?<\/\1\s*>/gi,
      ' ',
    )
    .replaceAll(/<!--[\s\S]{0,1000000}?-->/g, ' ')
    .replaceAll(/<(?:br|\/p|\/div|\/tr|\/li|\/h\d|\/blockquote)\b[^>]{0,2000}>/gi, '\n')
    .replaceAll(/<[a-z/!?][^>]{0,20000}>/gi, '')
    .replaceAll(
      /&(nbsp|amp|lt|gt|quot|#39|#(\d{1,7})|#x([\da-f]{1,6}));/gi,
      (whole, name: string, decimal?: string, hex?: string) =>
        entities[name.toLowerCase()] ??
        characterOf(Number.parseInt(decimal ?? hex ?? '', decimal ? 10 : 16)) ??
        whole,
    )
}

const entities: Record<string, string> = {
  nbsp: ' ',
  amp: '&',
  lt: '<',
  gt: '>',
  quot: '"',
  '#39': "'",
}

function characterOf(code: number): string | undefined {
  return code > 8 && code <= 0x10ffff && (code < 0xd800 || code > 0xdfff)
    ? String.fromCodePoint(code)
    : undefined
}

/**
 * Markdown of a message's HTML, with marks around quotations and signature, and the HTML itself in displayable form.
 * `isForward`: the quotation is the content. Throws RangeError for HTML that is nested too deeply.
 */
export function readMailHtml(html: string, isForward: boolean): { marked: string; safe: string } {
  const root = reading.parse(html) as HtmlNode
  const seen = visible(
    root,
    new Styles(root),
    { background: [255, 255, 255], colour: [0, 0, 0] },
    false,
  )
  const safe = writing.stringify(writing.runSync(structuredClone(seen) as Root))
  return { marked: markdownFrom(isForward ? seen : divided(seen)), safe }
}

/** Markdown of the visible content of HTML that is not a message. */
export function markdownOf(html: string): string {
  const root = reading.parse(html) as HtmlNode
  const seen = visible(
    root,
    new Styles(root),
    { background: [255, 255, 255], colour: [0, 0, 0] },
    false,
  )
  return markdownFrom(seen)
}

/** Markdown of a tree without unnecessary escapes, as in addresses and underscores within words. */
function markdownFrom(tree: HtmlNode): string {
  return converting
    .stringify(converting.runSync(plainly(tree) as Root))
    .replaceAll(/(?<!\\)\\@/g, '@')
    .replaceAll(/(?<=\w)\\_(?=\w)/g, '_')
    .replaceAll(/\\<(?=[^\s<>]{1,200}@[^\s<>]{1,200}>)/g, '<')
}

const dropped = new Set([
  'script',
  'style',
  'head',
  'title',
  'template',
  'object',
  'embed',
  'iframe',
  'frame',
  'frameset',
  'svg',
  'math',
  'canvas',
  'audio',
  'video',
  'link',
  'meta',
  'base',
  'select',
  'textarea',
  'input',
  'option',
  'map',
  'area',
  'dialog',
])

/** The tree without invisible content. */
function visible(node: HtmlNode, styles: Styles, around: Surroundings, tiny: boolean): HtmlNode {
  const children: HtmlNode[] = []
  for (const child of node.children ?? []) {
    if (child.type === 'text') {
      if ((!tiny && !isInvisible(around)) || child.value!.trim() === '') children.push(child)
      continue
    }
    if (child.type !== 'element' || dropped.has(child.tagName!)) continue
    const declared = styles.of(child)
    if (isHidden(child, declared) || (child.tagName === 'img' && isPixel(child, declared))) continue
    children.push(
      visible(child, styles, innerSurroundings(child, declared, around), isTiny(declared) ?? tiny),
    )
  }
  return { ...node, children }
}

/** Tracking pixels. */
function isPixel(node: HtmlNode, declared: Record<string, string>): boolean {
  const tiny = (value: string | undefined) =>
    value !== undefined && value !== '' && Number.parseFloat(value) <= 2 && !value.includes('%')
  return [
    attribute(node, 'width'),
    attribute(node, 'height'),
    declared.width,
    declared.height,
  ].some(tiny)
}

// Converts a message's HTML to Markdown and to HTML that is safe to show. Runs in the process of reading.ts. Nothing is
// fetched.

import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { type HtmlNode, attribute } from './hast.ts'
import { markDivisions } from './html-divisions.ts'
import { simplify } from './html-layout.ts'
import {
  Styles,
  type Surroundings,
  isHidden,
  isInvisible,
  isTiny,
  innerSurroundings,
} from './styles.ts'

/** The tree of the libraries, whose nodes HtmlNode describes loosely. */
type Root = Parameters<typeof htmlSanitizer.runSync>[0]

const htmlParser = unified().use(rehypeParse)
// Mail is full of single line breaks: they stay line breaks, without a marker at the end of each line.
const breakHandler = (_: unknown, _parent: unknown, state: { stack: readonly string[] }) =>
  state.stack.some((name) => name === 'tableCell' || name === 'headingAtx') ? ' ' : '\n'
const markdownConverter = unified()
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, {
    bullet: '-',
    emphasis: '_',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
    handlers: { break: breakHandler },
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
const htmlSanitizer = unified().use(rehypeSanitize, schema).use(rehypeStringify)

const maxDepth = 400
const maxHtmlLength = 1_500_000

/** Whether the HTML is too long or too deep to be read as a tree. */
export function isTooLarge(html: string): boolean {
  if (html.length > maxHtmlLength) return true
  let depth = 0
  for (const [, isClosing, isSelfClosing] of html.matchAll(
    /<(\/?)(?!(?:area|br|col|dd|dt|hr|img|input|li|link|meta|option|p|td|th|tr|wbr|o:p)\b)[a-z][^<>]*?(\/?)>/gi,
  )) {
    if (isClosing) depth = Math.max(0, depth - 1)
    else if (!isSelfClosing) depth += 1
    if (depth > maxDepth) return true
  }
  return false
}

/** The text of HTML too large for a tree: strips tags, and hidden text where it is easily recognized. */
export function stripTags(html: string): string {
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
  const root = htmlParser.parse(html) as HtmlNode
  const visibleTree = withoutInvisible(
    root,
    new Styles(root),
    { background: [255, 255, 255], colour: [0, 0, 0] },
    false,
  )
  const safe = htmlSanitizer.stringify(htmlSanitizer.runSync(structuredClone(visibleTree) as Root))
  return { marked: markdownFrom(isForward ? visibleTree : markDivisions(visibleTree)), safe }
}

/** Markdown of the visible content of HTML that is not a message. */
export function markdownOf(html: string): string {
  const root = htmlParser.parse(html) as HtmlNode
  const visibleTree = withoutInvisible(
    root,
    new Styles(root),
    { background: [255, 255, 255], colour: [0, 0, 0] },
    false,
  )
  return markdownFrom(visibleTree)
}

/** Markdown of a tree without unnecessary escapes, as in addresses and underscores within words. */
function markdownFrom(tree: HtmlNode): string {
  return markdownConverter
    .stringify(markdownConverter.runSync(simplify(tree) as Root))
    .replaceAll(/(?<!\\)\\@/g, '@')
    .replaceAll(/(?<=\w)\\_(?=\w)/g, '_')
    .replaceAll(/\\<(?=[^\s<>]{1,200}@[^\s<>]{1,200}>)/g, '<')
}

const droppedTags = new Set([
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
function withoutInvisible(
  node: HtmlNode,
  styles: Styles,
  surroundings: Surroundings,
  isTinyText: boolean,
): HtmlNode {
  const children: HtmlNode[] = []
  for (const child of node.children ?? []) {
    if (child.type === 'text') {
      if ((!isTinyText && !isInvisible(surroundings)) || child.value!.trim() === '')
        children.push(child)
      continue
    }
    if (child.type !== 'element' || droppedTags.has(child.tagName!)) continue
    const declared = styles.declarationsFor(child)
    if (isHidden(child, declared) || (child.tagName === 'img' && isPixel(child, declared))) continue
    children.push(
      withoutInvisible(
        child,
        styles,
        innerSurroundings(child, declared, surroundings),
        isTiny(declared) ?? isTinyText,
      ),
    )
  }
  return { ...node, children }
}

/** Whether an image is a tracking pixel. */
function isPixel(node: HtmlNode, declared: Record<string, string>): boolean {
  const isTinySize = (value: string | undefined) =>
    value !== undefined && value !== '' && Number.parseFloat(value) <= 2 && !value.includes('%')
  return [
    attribute(node, 'width'),
    attribute(node, 'height'),
    declared.width,
    declared.height,
  ].some(isTinySize)
}

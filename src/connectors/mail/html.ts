// HTML of a message into Markdown and into HTML that is safe to show. Runs in the thread of reading.ts. Nothing is fetched.

import rehypeParse from 'rehype-parse'
import rehypeRemark from 'rehype-remark'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { attribute, element, someIn, text, textIn, type HtmlNode } from './hast.ts'
import { isHidden, isInvisible, isTiny, Styles, within, type Surroundings } from './styles.ts'

// Marks that stand in the text between what a message says, what it quotes and how it is signed. People do not write them: they are of
// the private part of Unicode, and those that come in a message are taken out first.
export const quoteBegins = '\uE010'
export const quoteEnds = '\uE011'
export const signatureBegins = '\uE012'
export const signatureEnds = '\uE013'
export const marks = /[\uE010-\uE013]/g

const reading = unified().use(rehypeParse)
// Mail is full of single line breaks: they stay lines, without a sign at the end of each.
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
// Neither ids nor classes nor pictures from elsewhere, which would tell their sender that somebody reads.
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
const longest = 1_500_000

/** Whether the HTML is too long or too deep to be read as a tree. */
export function isTooMuch(html: string): boolean {
  if (html.length > longest) return true
  let depth = 0
  for (const [, closes, closed] of html.matchAll(
    /<(\/?)(?!(?:area|br|col|dd|dt|hr|img|input|li|link|meta|option|p|td|th|tr|wbr|o:p)\b)[a-z][^<>]*?(\/?)>/gi,
  )) {
    depth = Math.max(0, depth + (closes ? -1 : closed ? 0 : 1))
    if (depth > deepest) return true
  }
  return false
}

/** The text of HTML that is too much for a tree: tags are taken out, and what they hide stays hidden where it can be seen at once. */
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
 * Markdown of a message's HTML, with marks around what it quotes and its signature, and the HTML itself as it may be shown. `isForward`:
 * what it quotes is what it is about. Throws RangeError for HTML that is nested too deeply.
 */
export function readMailHtml(html: string, isForward: boolean): { marked: string; safe: string } {
  const root = reading.parse(html) as unknown as HtmlNode
  const seen = visible(
    root,
    new Styles(root),
    { background: [255, 255, 255], colour: [0, 0, 0] },
    false,
  )
  const safe = writing.stringify(writing.runSync(structuredClone(seen) as never) as never)
  return { marked: markdownFrom(isForward ? seen : divided(seen)), safe }
}

/** Markdown of HTML that is no message: all that is to be seen of it. */
export function markdownOf(html: string): string {
  const root = reading.parse(html) as unknown as HtmlNode
  const seen = visible(
    root,
    new Styles(root),
    { background: [255, 255, 255], colour: [0, 0, 0] },
    false,
  )
  return markdownFrom(seen)
}

/** Markdown of a tree, without the escapes of what is no sign where it stands: addresses, and underscores within words. */
function markdownFrom(tree: HtmlNode): string {
  return converting
    .stringify(converting.runSync(plainly(tree) as never) as never)
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

/** The tree without what nobody sees. */
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
    children.push(visible(child, styles, within(child, declared, around), isTiny(declared) ?? tiny))
  }
  return { ...node, children }
}

/** Pictures that are there to tell their sender who reads. */
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

const quoteClasses =
  /(^|\s)(x_)?(gmail_quote|gmail_quote_container|gmail_extra|yahoo_quoted|protonmail_quote|tutanota_quote|zmail_extra|moz-cite-prefix|isReplyContent|OutlookMessageHeader|ms-outlook-mobile-reference-message|mail-quote-collapse|quoted-content)(\s|$)/
const quoteIds =
  /^(x_)*(divRplyFwdMsg|OLK_SRC_BODY_SECTION|replySplit|appendonsend|mail-editor-reference-message-container|reply-intro|isForwardContent)$/
const signatureClasses =
  /(^|\s)(x_)?(gmail_signature|moz-signature|protonmail_signature_block|tutanota_signature|ms-outlook-mobile-signature|zimbra_signature)(\s|$)/
const signatureIds = /^(x_)*(Signature|ms-outlook-mobile-signature|AppleMailSignature)$/
export const forwarded =
  /^[\s>*_-]*(-{2,}\s*)?(begin forwarded message|forwarded message|weitergeleitete nachricht|anfang der weitergeleiteten (nachricht|e-mail)|message transféré|message transmis|début du message (réexpédié|transféré)|mensaje reenviado|inicio del mensaje reenviado|messaggio inoltrato|inizio messaggio inoltrato|mensagem encaminhada|doorgestuurd bericht|begin doorgestuurd bericht|vidarebefordrat meddelande|videresendt besked|przekazana wiadomość|пересылаемое сообщение|пересланное сообщение|転送メッセージ|转发的邮件)/iu

/** The tree with marks around what is quoted and the signature. */
function divided(root: HtmlNode): HtmlNode {
  const rest = { ended: false }
  return { ...root, children: dividedChildren(root, rest) }
}

function dividedChildren(node: HtmlNode, rest: { ended: boolean }): HtmlNode[] {
  return (node.children ?? []).flatMap((child) => {
    if (child.type !== 'element' || rest.ended) return [child]
    if (isRest(child)) {
      // From here on all is quoted, however it is nested: the end of the message is the end of it.
      if (forwarded.test(textIn(child).trim())) return [child]
      rest.ended = true
      return [mark(quoteBegins), child]
    }
    if (isQuote(child))
      return forwarded.test(textIn(child).trim())
        ? [child]
        : [mark(quoteBegins), child, mark(quoteEnds)]
    if (isSignature(child))
      return someIn(child, (htmlNode) => htmlNode !== child && isQuote(htmlNode))
        ? [{ ...child, children: dividedChildren(child, rest) }]
        : [mark(signatureBegins), child, mark(signatureEnds)]
    return [{ ...child, children: dividedChildren(child, rest) }]
  })
}

function mark(character: string): HtmlNode {
  return element('p', [text(character)])
}

function isQuote(node: HtmlNode): boolean {
  if (node.tagName === 'blockquote')
    return attribute(node, 'type') === 'cite' || quoteClasses.test(attribute(node, 'className'))
  return (
    quoteClasses.test(attribute(node, 'className')) ||
    attribute(node, 'name') === 'quoted-content' ||
    attribute(node, 'dataMarker') === '__QUOTED_TEXT__'
  )
}

/** What begins the message that is answered without enclosing it: lines of Outlook and of its kin. */
function isRest(node: HtmlNode): boolean {
  if (quoteIds.test(attribute(node, 'id')) || attribute(node, 'dataMarker') === '__DIVIDER__')
    return true
  const style = attribute(node, 'style').toLowerCase()
  return (
    node.tagName === 'div' &&
    /border:\s*none;?\s*border-top:\s*solid\s+(#b5c4df|#e1e1e1|windowtext)/.test(style) &&
    headerWords.test(textIn(node))
  )
}

const headerWords = /\b(from|von|de|da|van|från|fra|od|от)\s*:/iu

function isSignature(node: HtmlNode): boolean {
  return (
    signatureClasses.test(attribute(node, 'className')) ||
    signatureIds.test(attribute(node, 'id')) ||
    attribute(node, 'dataSmartmail') === 'gmail_signature'
  )
}

const flow = new Set([
  'p',
  'div',
  'table',
  'ul',
  'ol',
  'dl',
  'h1',
  'h2',
  'h3',
  'h4',
  'h5',
  'h6',
  'blockquote',
  'pre',
  'hr',
  'center',
  'section',
  'article',
  'header',
  'footer',
])

/** The tree as Markdown can say it: tables that only place things are no tables, pictures are their words. */
function plainly(node: HtmlNode): HtmlNode {
  if (node.type !== 'element' && node.type !== 'root') return node
  if (node.tagName === 'img') return text(wordsOf(node))
  if (node.tagName === 'table' && !isData(node))
    return element(
      'div',
      rowsOf(node).flatMap((row) => placed(row)),
    )
  if (node.tagName === 'table') return headed(element('table', (node.children ?? []).map(plainly)))
  if (node.tagName === 'a') return link(node)
  if (node.tagName === 'font' || node.tagName === 'center' || node.tagName === 'form')
    return element(node.tagName === 'center' ? 'div' : 'span', (node.children ?? []).map(plainly))
  return { ...node, children: (node.children ?? []).map(plainly) }
}

/** A link whose words are its address, or that leads nowhere, is only its words. */
function link(node: HtmlNode): HtmlNode {
  const children = (node.children ?? []).map(plainly)
  const href = attribute(node, 'href')
  const words = textIn({ type: 'root', children }).trim()
  if (
    words === '' &&
    !children.some((child) => someIn(child, (htmlNode) => flow.has(htmlNode.tagName ?? '')))
  )
    return text('')
  const leads = /^(https?:|mailto:|tel:)/i.test(href) && href.length <= 2_000
  if (
    !leads ||
    children.some((child) => someIn(child, (htmlNode) => flow.has(htmlNode.tagName ?? '')))
  )
    return element('span', leads ? [...children, text(` (${href}) `)] : children)
  return { ...node, properties: { href }, children }
}

function wordsOf(node: HtmlNode): string {
  const words = attribute(node, 'alt').replaceAll(/\s+/g, ' ').trim()
  return words === '' || /\.(png|jpe?g|gif|bmp|svg|webp)$/i.test(words) ? '' : words.slice(0, 300)
}

/** Tables of Markdown have a head: where none is said, it is the first row. */
function headed(table: HtmlNode): HtmlNode {
  if (!someIn(table, (htmlNode) => htmlNode.tagName === 'th'))
    for (const cell of cellsOf(rowsOf(table).find((row) => cellsOf(row).length > 0)!))
      cell.tagName = 'th'
  return table
}

function rowsOf(table: HtmlNode): HtmlNode[] {
  return (table.children ?? []).flatMap((child) =>
    child.tagName === 'tr'
      ? [child]
      : /^(thead|tbody|tfoot)$/.test(child.tagName ?? '')
        ? rowsOf(child)
        : child.tagName === 'caption'
          ? [element('tr', [element('td', child.children ?? [])])]
          : [],
  )
}

function cellsOf(row: HtmlNode): HtmlNode[] {
  return (row.children ?? []).filter((child) => child.tagName === 'td' || child.tagName === 'th')
}

/** The cells of a row one below the other, or beside each other where each is a few words. */
function placed(row: HtmlNode): HtmlNode[] {
  const cells = cellsOf(row).map((cell) => ({
    ...cell,
    children: (cell.children ?? []).map(plainly),
  }))
  const short = cells.every(
    (cell) =>
      textIn(cell).trim().length <= 80 &&
      !cell.children.some((child) =>
        someIn(
          child,
          (htmlNode) =>
            flow.has(htmlNode.tagName ?? '') &&
            htmlNode.tagName !== 'p' &&
            htmlNode.tagName !== 'div',
        ),
      ),
  )
  if (cells.length > 1 && short) {
    const filled = cells.filter((cell) => textIn(cell).trim() !== '')
    return [
      element(
        'p',
        filled.flatMap((cell, i) => [
          ...(i > 0 ? [text(' ')] : []),
          ...cell.children.flatMap((child) =>
            child.tagName === 'p' || child.tagName === 'div'
              ? [text(' '), ...(child.children ?? [])]
              : [child],
          ),
        ]),
      ),
    ]
  }
  return cells.map((cell) => element('div', cell.children))
}

/** Whether a table holds data: rows and columns of short texts, and no tables inside. */
function isData(table: HtmlNode): boolean {
  if (
    attribute(table, 'role') === 'presentation' ||
    (table.children ?? []).some((child) =>
      someIn(child, (htmlNode) => htmlNode.tagName === 'table'),
    )
  )
    return false
  const rows = rowsOf(table)
    .map(cellsOf)
    .filter((cells) => cells.length > 0)
  const columns = Math.max(0, ...rows.map((cells) => cells.length))
  if (rows.length < 2 || columns < 2 || columns > 40) return false
  if (rows.flat().some((cell) => cell.tagName === 'th')) return true
  const even = rows.filter((cells) => cells.length === columns).length >= rows.length * 0.7
  const texts = rows.flat().map((cell) => textIn(cell).trim())
  return (
    even &&
    texts.every((name) => name.length <= 300) &&
    texts.filter((name) => name !== '').length >= texts.length * 0.6
  )
}

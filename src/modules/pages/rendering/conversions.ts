// Markdown to HTML and back: parsing some texts takes seconds, which must not delay others. Loaded only in reader
// processes (renderers.ts, ../../importers.ts), because its libraries take memory and time that most instances never need.

import Slugger from 'github-slugger'
import rehypeParse from 'rehype-parse'
import rehypeRaw from 'rehype-raw'
import rehypeRemark from 'rehype-remark'
import rehypeSanitize, { defaultSchema } from 'rehype-sanitize'
import rehypeStringify from 'rehype-stringify'
import remarkGfm from 'remark-gfm'
import remarkParse from 'remark-parse'
import remarkRehype from 'remark-rehype'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'

/** Properties of an HTML tree node that the conversion reads. */
interface Node {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: Node[]
}

/** GitHub's schema, for pages without scripts: there are no other ids to clash with. */
const schema = {
  ...defaultSchema,
  clobberPrefix: '',
  protocols: {
    ...defaultSchema.protocols,
    src: ['https'],
    href: ['http', 'https', 'mailto', 'tel'],
  },
  tagNames: defaultSchema.tagNames!.filter((name) => name !== 'picture' && name !== 'source'),
}

const markdownToTree = unified()
  .use(remarkParse)
  .use(remarkGfm)
  .use(remarkRehype, { allowDangerousHtml: true })
  .use(() => addHeadingIds)
  .use(rehypeRaw)
  .use(rehypeSanitize, schema)
const treeToHtml = unified().use(rehypeStringify)
const htmlToMarkdown = unified()
  .use(rehypeParse)
  .use(rehypeRemark)
  .use(remarkGfm)
  .use(remarkStringify, {
    bullet: '-',
    emphasis: '_',
    fences: true,
    listItemIndent: 'one',
    rule: '-',
  })

/** Sanitized HTML of a Markdown text: no scripts, styles or forms; headings have the outline's anchors. */
export function toHtml(
  markdown: string,
  anchorPrefix = '',
  parentLevel = 0,
  keepImages = false,
): string {
  const tree = markdownToTree.runSync(markdownToTree.parse(markdown)) as Node
  if (!keepImages) linkImages(tree)
  if (parentLevel > 0) adaptToPage(tree, parentLevel)
  for (const node of elementsOf(tree)) {
    if (anchorPrefix !== '' && typeof node.properties!.id === 'string')
      node.properties!.id = anchorPrefix + node.properties!.id
    if (node.tagName === 'a') rewriteLink(node, anchorPrefix)
  }
  return treeToHtml.stringify(tree as Parameters<typeof treeToHtml.stringify>[0])
}

/**
 * Makes a text part of a page: its headings are below the enclosing one without skipping levels, and checkboxes
 * become symbols.
 */
function adaptToPage(tree: Node, parentLevel: number): void {
  let lastLevel = parentLevel
  for (const node of elementsOf(tree)) {
    if (/^h[1-6]$/.test(node.tagName!))
      node.tagName = `h${(lastLevel = Math.min(Number(node.tagName![1]) + parentLevel, lastLevel + 1, 6))}`
    if (node.tagName === 'input')
      Object.assign(node, { type: 'text', value: node.properties!.checked ? '☑' : '☐' })
  }
}

/**
 * Replaces images by links, or by their text inside a link: a page loads nothing from other servers, which would
 * learn about its readers.
 */
function linkImages(node: Node, isInLink = false): void {
  for (const child of node.children ?? []) {
    if (child.tagName !== 'img') {
      linkImages(child, isInLink || child.tagName === 'a')
      continue
    }
    const { src, alt } = child.properties ?? {}
    const href = typeof src === 'string' ? src : undefined
    const text = {
      type: 'text',
      value: typeof alt === 'string' && alt.trim() !== '' ? alt : (href ?? 'image'),
    }
    const isLink = href !== undefined && !isInLink
    Object.assign(child, {
      tagName: isLink ? 'a' : 'span',
      properties: isLink ? { href } : {},
      children: [text],
    })
  }
}

/** Adds anchors to the outline's headings, which are those outside lists and quotations (outline.ts). */
function addHeadingIds(tree: Node): void {
  const slugger = new Slugger()
  for (const node of tree.children ?? [])
    if (/^h[1-6]$/.test(node.tagName ?? ''))
      node.properties = {
        ...node.properties,
        id: slugger.slug(nodeTextOf(node).replaceAll(/\s+/g, ' ').trim()),
      }
}

/** External links carry no ranking weight and send no referrer; links to headings get the anchor prefix. */
function rewriteLink({ properties = {} }: Node, anchorPrefix: string): void {
  const { href } = properties
  if (typeof href !== 'string') return
  if (/^#pag_[0-9a-z]{26}(?:-|$)/.test(href)) return // another page of the same document
  if (href.startsWith('#')) properties.href = `#${anchorPrefix}${href.slice(1)}`
  else if (/^[a-z][a-z0-9+.-]*:|^\/\//i.test(href))
    properties.rel = ['nofollow', 'noopener', 'noreferrer']
}

/** Markdown of an HTML document, with its title if present. */
export function toMarkdown(html: string): { text: string; title: string | undefined } {
  const file = htmlToMarkdown.processSync(html)
  const title = /<title[^>]*>([^<]{1,2000})<\/title>/i.exec(html)?.[1]
  return { text: String(file), title: title === undefined ? undefined : plainTextOfHtml(title) }
}

function plainTextOfHtml(html: string): string {
  return nodeTextOf(unified().use(rehypeParse, { fragment: true }).parse(html) as Node)
    .replaceAll(/\s+/g, ' ')
    .trim()
}

function* elementsOf(node: Node): Generator<Node> {
  if (node.type === 'element') {
    node.properties ??= {}
    yield node
  }
  for (const child of node.children ?? []) yield* elementsOf(child)
}

function nodeTextOf(node: Node): string {
  return node.type === 'text' ? node.value! : (node.children ?? []).map(nodeTextOf).join('')
}

// Normalizes clipboard HTML from office programs and browsers.

import { elementsIn, nodeText, type HtmlNode } from '../../ui/source/html-tree.ts'
import { elementOf, isWhiteSpace, styleOf, textNode } from './nodes.ts'

interface NodeContext {
  /** Formats already in effect. */
  formats: readonly string[]
  isInCell: boolean
}

type Node = HtmlNode

const blockTags =
  /^(address|article|aside|blockquote|center|dd|div|dl|dt|figcaption|figure|footer|form|h[1-6]|header|hr|li|main|nav|ol|p|pre|section|ul)$/
const boldTags = /^(b|strong|h[1-6]|th)$/

/** A pasted tree with styles converted to elements, and without links and pictures that pages do not allow. */
export function normalizeTree(node: Node, origin: string): Node {
  return { ...node, children: childrenOf(node, { formats: [], isInCell: false }, origin) }
}

function childrenOf(node: Node, context: NodeContext, origin: string): Node[] {
  const children = (node.children ?? []).flatMap((child) => normalizeNode(child, context, origin))
  return isList(node) && !context.isInCell ? nestLists(children) : children
}

const isList = ({ tagName }: Node) => tagName === 'ul' || tagName === 'ol'

/** A list directly inside a list belongs to the preceding item. */
function nestLists(children: readonly Node[]): Node[] {
  const items: Node[] = []
  for (const child of children) {
    const lastItem = items.at(-1)
    if (isList(child) && lastItem?.tagName === 'li')
      lastItem.children = [...(lastItem.children ?? []), child]
    else if (child.type === 'element') items.push(child)
  }
  return items
}

function normalizeNode(node: Node, context: NodeContext, origin: string): Node[] {
  const { type, tagName = '' } = node
  if (type !== 'element') return [node]
  if (tagName === 'img') return convertPicture(node, origin)
  if (tagName === 'input') return node.properties?.type === 'checkbox' ? [node] : []
  if (tagName === 'table' && isLayoutTable(node)) return unfoldTable(node, context, origin)
  const formats = formatsOf(node, context.formats)
  const isBold = boldTags.test(tagName) && !hasNormalWeight(node)
  const childContext = {
    formats: [...context.formats, ...formats, ...(isBold ? ['strong'] : [])],
    isInCell: context.isInCell || tagName === 'td' || tagName === 'th',
  }
  const children = childrenOf(node, childContext, origin)
  if (context.isInCell && blockTags.test(tagName)) return [...children, textNode(' ')]
  if (/^(span|font|b|strong)$/.test(tagName) && !isBold)
    return formats.reduceRight((inner, name) => moveSpaceOutside(elementOf(name, inner)), children)
  return finishElement(node, children, origin)
}

function finishElement(node: Node, children: Node[], origin: string): Node[] {
  const { tagName = '' } = node
  if (tagName === 'a') return pastedLink(node, children, origin)
  if (tagName === 'li') return [convertListItem(node, children)]
  if (tagName === 'table') return [withHeaderRow({ ...node, children })]
  return inlineTags.test(tagName)
    ? moveSpaceOutside({ ...node, children })
    : [{ ...node, children }]
}

const inlineTags = /^(b|strong|i|em|s|strike|del|u|q|cite|var|a)$/

/** Moves whitespace at the edges of a format outside it, as Markdown syntax requires. */
function moveSpaceOutside(node: Node): Node[] {
  const text = nodeText(node)
  const [leadingSpace = ''] = /^\s+/.exec(text) ?? []
  if (leadingSpace.length === text.length) return node.children ?? []
  const [trailingSpace = ''] = /\s+$/.exec(text) ?? []
  const inner = sliceNode(node, leadingSpace.length, text.length - trailingSpace.length)
  return [
    ...(leadingSpace === '' ? [] : [textNode(' ')]),
    inner,
    ...(trailingSpace === '' ? [] : [textNode(' ')]),
  ]
}

/** A node reduced to a range of its text. */
function sliceNode(node: Node, from: number, to: number): Node {
  if (node.type === 'text') return textNode((node.value ?? '').slice(Math.max(0, from), to))
  let offset = 0
  const children = (node.children ?? []).map((child) => {
    const start = offset
    offset += nodeText(child).length
    return sliceNode(child, from - start, Math.max(0, to - start))
  })
  return { ...node, children }
}

/** Markdown tables need a header: the first row, if a table has none. */
function withHeaderRow(table: Node): Node {
  const elements = [...elementsIn(table)]
  if (elements.some(({ tagName }) => tagName === 'th')) return table
  const firstRow = elements.find(({ tagName }) => tagName === 'tr')
  for (const cell of firstRow?.children ?? []) if (cell.tagName === 'td') cell.tagName = 'th'
  return table
}

/** Google Docs wraps everything it copies in a `<b>` that is not bold. */
const hasNormalWeight = (node: Node) => /font-weight:\s*(normal|[1-4]00)\b/i.test(styleOf(node))

/** Formats that a style adds to those already in effect. */
function formatsOf(node: Node, activeFormats: readonly string[]): string[] {
  if (node.tagName !== 'span' && node.tagName !== 'font') return []
  const style = styleOf(node)
  return [
    ...(/font-weight:\s*(bold|[6-9]00)\b/i.test(style) ? ['strong'] : []),
    ...(/font-style:\s*italic/i.test(style) ? ['em'] : []),
    ...(/text-decoration[\w-]*:[^;]*line-through/i.test(style) ? ['del'] : []),
  ].filter((format) => !activeFormats.includes(format))
}

/** Layout tables, common in mail: with one cell, or with nested tables. */
function isLayoutTable(table: Node): boolean {
  let cells = 0
  for (const { tagName } of elementsIn(table)) {
    if (tagName === 'table') return true
    if (tagName === 'td' || tagName === 'th') cells++
  }
  return cells < 2
}

const tableTags = /^(table|tbody|thead|tfoot|tr|td|th|caption|colgroup|col)$/

function unfoldTable(node: Node, context: NodeContext, origin: string): Node[] {
  return (node.children ?? []).flatMap((child) => {
    if (child.tagName === 'table' || !tableTags.test(child.tagName ?? ''))
      return normalizeNode(child, context, origin)
    const children = unfoldTable(child, context, origin)
    return [elementOf('div', children)]
  })
}

const checkbox = (isDone: boolean): Node => ({
  ...elementOf('input', []),
  properties: { type: 'checkbox', ...(isDone && { checked: true }) },
})

/** A list item, with a checkbox if it contains a box character or role. */
function convertListItem(node: Node, children: Node[]): Node {
  const paragraphs = children.filter((child) => child.tagName === 'p')
  const [paragraph] = paragraphs
  const content =
    paragraph && paragraphs.length === 1
      ? children.flatMap((child) => (child === paragraph ? (child.children ?? []) : [child]))
      : children
  const rest = content.slice(
    Math.max(
      0,
      content.findIndex((child) => !isWhiteSpace(child)),
    ),
  )
  const { role, ariaChecked } = node.properties ?? {}
  if (role === 'checkbox') return { ...node, children: [checkbox(ariaChecked === 'true'), ...rest] }
  const box = /^\s*([☐☑☒✅])\s*$/.exec(nodeText(rest[0]))?.[1]
  if (box === undefined) return { ...node, children: rest }
  return { ...node, children: [checkbox(box !== '☐'), ...rest.slice(1)] }
}

function pastedLink(node: Node, children: Node[], origin: string): Node[] {
  const href = safeHrefOf(node.properties?.href, origin)
  if (href === undefined) return children
  const hasPicture =
    children.some(isPicture) ||
    [...children.flatMap((child) => [...elementsIn(child)])].some(isPicture)
  if (hasPicture) return [{ ...node, properties: { href }, children }]
  if (children.every((child) => nodeText(child).trim() === '')) return [] // an anchor
  return moveSpaceOutside({ ...node, properties: { href }, children })
}

const isPicture = ({ tagName }: Node) => tagName === 'img'

function convertPicture({ properties = {} }: Node, origin: string): Node[] {
  const { src, alt = '', width, height } = properties
  if (String(width) === '1' || String(height) === '1') return [] // a tracking pixel
  const address = safeHrefOf(src, origin)
  const isShown = address !== undefined && !address.startsWith('mailto:')
  if (!isShown) return [textNode(String(alt))]
  return [{ type: 'element', tagName: 'img', properties: { src: address, alt }, children: [] }]
}

/** An address allowed in a page: web or mail, and only the path within this workspace. */
function safeHrefOf(value: unknown, origin: string): string | undefined {
  if (typeof value !== 'string' || !/^(https?:\/\/|mailto:)/i.test(value)) return undefined
  if (!URL.canParse(value)) return undefined
  const url = new URL(value)
  return url.origin === origin ? `${url.pathname}${url.search}${url.hash}` : value.trim()
}

// Predicates and constructors for the nodes of an HTML tree.

import type { HtmlNode } from '../../ui/source/html-tree.ts'

type Node = HtmlNode

/** Creates an element without attributes. */
export const elementOf = (tagName: string, children: Node[]): Node => ({
  type: 'element',
  tagName,
  properties: {},
  children,
})

export const textNode = (value: string): Node => ({ type: 'text', value })

export const styleOf = ({ properties }: Node): string => String(properties?.style ?? '')

/** True for a text node that contains only white space. */
export const isWhiteSpace = (node: Node) => node.type === 'text' && (node.value ?? '').trim() === ''

/** Turns plain addresses into links, because Markdown would otherwise escape them. */
export function linkify(node: Node): Node {
  if (/^(a|pre|code|kbd|samp|tt)$/.test(node.tagName ?? '')) return node
  return { ...node, children: (node.children ?? []).flatMap(linkifyChild) }
}

function linkifyChild(child: Node): Node[] {
  if (child.type !== 'text') return [linkify(child)]
  return (child.value ?? '')
    .split(/(https?:\/\/[^\s<>]*[^\s<>.,;:!?)'"\]])/i)
    .map((part) =>
      /^https?:\/\/./i.test(part)
        ? { ...elementOf('a', [textNode(part)]), properties: { href: part } }
        : textNode(part),
    )
}

/** True if it consists of one code block, as copied by code editors. */
export function isSingleCodeBlock(root: Node): boolean {
  let node: Node | undefined = root
  while (node) {
    const children: Node[] = (node.children ?? []).filter(
      (child) => !isWhiteSpace(child) && child.tagName !== 'br',
    )
    const [onlyChild] = children
    if (children.length !== 1 || onlyChild?.type !== 'element') return false
    if (onlyChild.tagName === 'pre' || isMonospaced(styleOf(onlyChild))) return true
    node = onlyChild
  }
  return false
}

const isMonospaced = (style: string) =>
  /white-space(-collapse)?:\s*(pre|preserve|break-spaces)\b(?!-line)/i.test(style) &&
  /font-family:[^;]*(mono|consol|courier|menlo)/i.test(style)

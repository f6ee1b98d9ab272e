// Predicates and constructors for the nodes of an HTML tree.

import type { HtmlNode } from '../../ui/source/html-tree.ts'

type Node = HtmlNode

/** An element of that name. */
export const elementOf = (tagName: string, children: Node[]): Node => ({
  type: 'element',
  tagName,
  properties: {},
  children,
})

/** A stretch of text. */
export const textNode = (value: string): Node => ({ type: 'text', value })

export const styleOf = ({ properties }: Node): string => String(properties?.style ?? '')

/** Whether it is nothing but white space. */
export const isWhiteSpace = (node: Node) => node.type === 'text' && (node.value ?? '').trim() === ''

/** Plain addresses become links, because Markdown would otherwise escape them. */
export function linkified(node: Node): Node {
  if (/^(a|pre|code|kbd|samp|tt)$/.test(node.tagName ?? '')) return node
  return { ...node, children: (node.children ?? []).flatMap(linksIn) }
}

function linksIn(child: Node): Node[] {
  if (child.type !== 'text') return [linkified(child)]
  return (child.value ?? '')
    .split(/(https?:\/\/[^\s<>]*[^\s<>.,;:!?)'"\]])/i)
    .map((part) =>
      /^https?:\/\/./i.test(part)
        ? { ...elementOf('a', [textNode(part)]), properties: { href: part } }
        : textNode(part),
    )
}

/** True if it consists of one code block, as copied by code editors. */
export function isCodeAlone(root: Node): boolean {
  let node: Node | undefined = root
  while (node) {
    const children: Node[] = (node.children ?? []).filter(
      (child) => !isWhiteSpace(child) && child.tagName !== 'br',
    )
    const [only] = children
    if (children.length !== 1 || only?.type !== 'element') return false
    if (only.tagName === 'pre' || isMonospaced(styleOf(only))) return true
    node = only
  }
  return false
}

const isMonospaced = (style: string) =>
  /white-space(-collapse)?:\s*(pre|preserve|break-spaces)\b(?!-line)/i.test(style) &&
  /font-family:[^;]*(mono|consol|courier|menlo)/i.test(style)

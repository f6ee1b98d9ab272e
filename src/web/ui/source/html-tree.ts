// HTML trees, as produced by the Markdown and HTML parsers.

/** Properties of an HTML tree node that are used here. */
export interface HtmlNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HtmlNode[]
  position?: { start: { offset?: number }; end: { offset?: number } } | undefined
}

/** All descendant elements of a node. */
export function* elementsIn(node: HtmlNode): Generator<HtmlNode> {
  for (const child of node.children ?? []) {
    if (child.type === 'element') yield child
    yield* elementsIn(child)
  }
}

/** The text of a node. */
export function nodeText(node: HtmlNode | undefined): string {
  if (!node) return ''
  return node.type === 'text' ? (node.value ?? '') : (node.children ?? []).map(nodeText).join('')
}

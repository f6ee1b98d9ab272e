/** Subset of an HTML tree node that this module uses. */
export interface HtmlNode {
  type: string
  tagName?: string
  value?: string
  properties?: Record<string, unknown>
  children?: HtmlNode[]
}

/** An attribute as text; empty if missing. */
export function attribute(node: HtmlNode, name: string): string {
  const value = node.properties?.[name]
  if (Array.isArray(value)) return value.join(' ')
  return typeof value === 'string' || typeof value === 'number' ? String(value) : ''
}

/** All text below a node. */
export function textIn(node: HtmlNode): string {
  return node.type === 'text' ? node.value! : (node.children ?? []).map(textIn).join('')
}

/** Whether this node or one below it matches. */
export function someNode(node: HtmlNode, matches: (node: HtmlNode) => boolean): boolean {
  return matches(node) || (node.children ?? []).some((child) => someNode(child, matches))
}

export function element(
  tagName: string,
  children: HtmlNode[],
  properties: Record<string, unknown> = {},
): HtmlNode {
  return { type: 'element', tagName, properties, children }
}

export function htmlTextNode(value: string): HtmlNode {
  return { type: 'text', value }
}

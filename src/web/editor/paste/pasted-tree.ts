// Parses pasted HTML into a tree, reduced to the parts that become Markdown.

import type { HtmlNode } from '../../ui/source/html-tree.ts'

/** Limits above which HTML is pasted as plain text. */
const limits = { chars: 1_000_000, nodes: 30_000, depth: 100 }

/** Elements that are dropped: without textual content, executable, or interactive. */
const droppedElements = new Set(
  'head,title,style,script,noscript,template,iframe,object,embed,svg,math,audio,video,canvas,button,select,textarea,dialog'.split(
    ',',
  ),
)

/** Significant attributes, by tree property. */
const allowedAttributes: readonly (readonly [attribute: string, property: string])[] = [
  ['href', 'href'],
  ['src', 'src'],
  ['alt', 'alt'],
  ['width', 'width'],
  ['height', 'height'],
  ['start', 'start'],
  ['type', 'type'],
  ['colspan', 'colSpan'],
  ['rowspan', 'rowSpan'],
  ['role', 'role'],
  ['aria-checked', 'ariaChecked'],
  ['data-pasted-style', 'style'],
]

/** Prefix for attribute names that would trigger the page's security policy, even though nothing is rendered or run. */
const attributePrefix = 'data-pasted-'
const unsafeAttribute = /([\s"'/])(style|on\w+)(?=\s*=)/gi

/** Parses HTML without running, rendering or loading any of it; undefined if it is too large or too deep. */
export function parsePastedHtml(html: string): HtmlNode | undefined {
  if (html.length > limits.chars) return undefined
  const { body } = new DOMParser().parseFromString(
    html.replace(unsafeAttribute, `$1${attributePrefix}$2`),
    'text/html',
  )
  const root = { type: 'root', children: [] }
  let count = 0
  const copy = (source: Node, target: HtmlNode[], depth: number): boolean => {
    count += source.childNodes.length
    if (count > limits.nodes || depth > limits.depth) return false
    return [...source.childNodes].every((child) => {
      const node = toHtmlNode(child)
      if (node) target.push(node)
      return !node?.children || copy(child, node.children, depth + 1)
    })
  }
  return copy(body, root.children, 0) ? root : undefined
}

const removePrefix = (text: string | null) => (text ?? '').replaceAll(attributePrefix, '')

function toHtmlNode(node: Node): HtmlNode | undefined {
  if (node.nodeType === Node.TEXT_NODE) return { type: 'text', value: removePrefix(node.nodeValue) }
  if (!(node instanceof Element) || droppedElements.has(node.localName) || isHidden(node))
    return undefined
  const properties: Record<string, unknown> = {}
  for (const [attribute, property] of allowedAttributes) {
    const value = node.getAttribute(attribute)
    if (value !== null) properties[property] = removePrefix(value)
  }
  if (node.hasAttribute('checked')) properties.checked = true
  const language = /(?:^|\s)(language-[\w+#.-]{1,40})/.exec(node.getAttribute('class') ?? '')?.[1]
  if (language !== undefined) properties.className = [language]
  return { type: 'element', tagName: node.localName, properties, children: [] }
}

const isHidden = (node: Element): boolean =>
  node.hasAttribute('hidden') ||
  /display:\s*none/i.test(node.getAttribute(`${attributePrefix}style`) ?? '')

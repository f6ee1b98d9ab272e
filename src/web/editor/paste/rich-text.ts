// Converts clipboard HTML to Markdown. Loaded at the first such paste.

import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { elementsIn, nodeText, type HtmlNode } from '../../ui/source/html-tree.ts'
import { isSingleCodeBlock, linkify } from './nodes.ts'
import { parsePastedHtml } from './pasted-tree.ts'
import { normalizeTree } from './tidy.ts'

const converter = unified().use(rehypeRemark).use(remarkGfm).use(remarkStringify, {
  bullet: '-',
  emphasis: '*',
  fences: true,
  listItemIndent: 'one',
  rule: '-',
})

type HtmlRoot = Parameters<typeof converter.runSync>[0]
type MarkdownRoot = Parameters<typeof converter.stringify>[0]

/** Formats that plain text cannot express; italic, bold and strikethrough also when set by styles. */
const formats =
  /^(h[1-6]|b|strong|i|em|s|strike|del|code|pre|kbd|samp|tt|a|ul|ol|table|blockquote|img|hr|q)$/

/**
 * Markdown for clipboard HTML; undefined if its plain text is equivalent, or it is too large. `origin`: of this
 * workspace.
 */
export function pastedAsMarkdown(html: string, origin: string): string | undefined {
  const tree = parsePastedHtml(html)
  return tree && pastedTreeAsMarkdown(tree, origin)
}

/** Markdown for a parsed tree. */
export function pastedTreeAsMarkdown(root: HtmlNode, origin: string): string | undefined {
  if (isSingleCodeBlock(root)) return undefined
  const normalizedRoot = normalizeTree(root, origin)
  const isRich = [...elementsIn(normalizedRoot)].some(
    (node) =>
      formats.test(node.tagName ?? '') &&
      (node.tagName === 'img' ||
        node.tagName === 'hr' ||
        nodeText(node).trim() !== '' ||
        hasPicture(node)),
  )
  if (!isRich) return undefined
  const tree = converter.runSync(linkify(normalizedRoot) as HtmlRoot) as MarkdownRoot
  return converter.stringify(tree).trim()
}

const hasPicture = (node: HtmlNode) =>
  [...elementsIn(node)].some(({ tagName }) => tagName === 'img')

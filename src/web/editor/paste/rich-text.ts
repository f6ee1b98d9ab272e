// Converts clipboard HTML to Markdown. Loaded at the first such paste.

import rehypeRemark from 'rehype-remark'
import remarkGfm from 'remark-gfm'
import remarkStringify from 'remark-stringify'
import { unified } from 'unified'
import { elementsIn, nodeText, type HtmlNode } from '../../ui/source/html-tree.ts'
import { isCodeAlone, linkified } from './nodes.ts'
import { treeOf } from './pasted-tree.ts'
import { tidied } from './tidy.ts'

const converting = unified().use(rehypeRemark).use(remarkGfm).use(remarkStringify, {
  bullet: '-',
  emphasis: '*',
  fences: true,
  listItemIndent: 'one',
  rule: '-',
})

type Root = Parameters<typeof converting.runSync>[0]
type Written = Parameters<typeof converting.stringify>[0]

/** Formats that plain text cannot express; italic, bold and strikethrough also when set by styles. */
const formats =
  /^(h[1-6]|b|strong|i|em|s|strike|del|code|pre|kbd|samp|tt|a|ul|ol|table|blockquote|img|hr|q)$/

/**
 * Markdown for clipboard HTML; undefined if its plain text is equivalent, or it is too large. `origin`: of this
 * workspace.
 */
export function pastedAsMarkdown(html: string, origin: string): string | undefined {
  const tree = treeOf(html)
  return tree && pastedTreeAsMarkdown(tree, origin)
}

/** Markdown for a parsed tree. */
export function pastedTreeAsMarkdown(pasted: HtmlNode, origin: string): string | undefined {
  if (isCodeAlone(pasted)) return undefined
  const tidy = tidied(pasted, origin)
  const isRich = [...elementsIn(tidy)].some(
    (node) =>
      formats.test(node.tagName ?? '') &&
      (node.tagName === 'img' ||
        node.tagName === 'hr' ||
        nodeText(node).trim() !== '' ||
        hasPicture(node)),
  )
  if (!isRich) return undefined
  const tree = converting.runSync(linkified(tidy) as Root) as Written
  return converting.stringify(tree).trim()
}

const hasPicture = (node: HtmlNode) =>
  [...elementsIn(node)].some(({ tagName }) => tagName === 'img')

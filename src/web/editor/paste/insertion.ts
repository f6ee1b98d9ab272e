import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

const linePrefix = /^(\s*(?:>\s?)*)((?:[-*+]|\d{1,9}[.)])\s+)?(\[[ xX]\]\s+)?/
const itemStart = /^(?:[-*+]|\d{1,9}[.)])\s/
const blockStart = /^(?:#{1,6} |>|\||```|~~~|---$|(?:[-*+]|\d{1,9}[.)])\s)/

/** Inserted text, and the range that it replaces. */
interface Insertion {
  from: number
  to: number
  insert: string
}

/**
 * Fits Markdown into a position: it continues the surrounding quotation or list item, and blocks are separated from
 * the adjacent text.
 */
export function insertionOf(
  state: EditorState,
  from: number,
  to: number,
  markdown: string,
): Insertion {
  const line = state.doc.lineAt(from)
  const textBefore = line.text.slice(0, from - line.from)
  const [prefix = '', quote = '', mark = '', task = ''] = linePrefix.exec(textBefore) ?? []
  const isAtStart = textBefore.length === prefix.length
  const isBlock = blockStart.test(markdown)
  const isItem = isAtStart && mark !== '' && itemStart.test(markdown)
  const margin = isItem ? quote : quote + ' '.repeat(mark.length)
  const isMultiBlock = isBlock || /\n\n/.test(markdown)
  const endLine = state.doc.lineAt(to)
  const needsBreakAfter = isMultiBlock && endLine.text.slice(to - endLine.from).trim() !== ''
  const needsBreakBefore = isBlock && (!isAtStart || (task !== '' && !isItem))
  const text = `${needsBreakBefore ? '\n\n' : ''}${markdown}${needsBreakAfter ? '\n\n' : ''}`
  return {
    from: isItem ? line.from + quote.length : from,
    to,
    insert: text.replaceAll(/\n(?=(\n|$)?)/g, (_, isBlank: string | undefined) =>
      isBlank === undefined ? `\n${margin}` : `\n${margin.trimEnd()}`,
    ),
  }
}

const plainTextNodes =
  /^(FencedCode|CodeBlock|InlineCode|HTMLBlock|CommentBlock|FrontMatter|Table|URL)$/

/** True if Markdown is not interpreted at a position: code, a table cell, front matter. */
export function requiresPlainText(state: EditorState, position: number): boolean {
  for (let node = syntaxTree(state).resolveInner(position, -1); ; ) {
    if (plainTextNodes.test(node.name) && position > node.from) return true
    if (!node.parent) return false
    node = node.parent
  }
}

import { syntaxTree } from '@codemirror/language'
import type { EditorState } from '@codemirror/state'

const linePrefix = /^(\s*(?:>\s?)*)((?:[-*+]|\d{1,9}[.)])\s+)?(\[[ xX]\]\s+)?/
const item = /^(?:[-*+]|\d{1,9}[.)])\s/
const block = /^(?:#{1,6} |>|\||```|~~~|---$|(?:[-*+]|\d{1,9}[.)])\s)/

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
  const before = line.text.slice(0, from - line.from)
  const [start = '', quote = '', mark = '', task = ''] = linePrefix.exec(before) ?? []
  const isAtStart = before.length === start.length
  const isBlock = block.test(markdown)
  const isItem = isAtStart && mark !== '' && item.test(markdown)
  const margin = isItem ? quote : quote + ' '.repeat(mark.length)
  const isWhole = isBlock || /\n\n/.test(markdown)
  const behind = state.doc.lineAt(to)
  const isFollowed = isWhole && behind.text.slice(to - behind.from).trim() !== ''
  const isApart = isBlock && (!isAtStart || (task !== '' && !isItem))
  const text = `${isApart ? '\n\n' : ''}${markdown}${isFollowed ? '\n\n' : ''}`
  return {
    from: isItem ? line.from + quote.length : from,
    to,
    insert: text.replaceAll(/\n(?=(\n|$)?)/g, (_, isBlank: string | undefined) =>
      isBlank === undefined ? `\n${margin}` : `\n${margin.trimEnd()}`,
    ),
  }
}

const asWritten = /^(FencedCode|CodeBlock|InlineCode|HTMLBlock|CommentBlock|FrontMatter|Table|URL)$/

/** True if a position does not accept Markdown: code, a table cell, front matter. */
export function takesPlainText(state: EditorState, at: number): boolean {
  for (let node = syntaxTree(state).resolveInner(at, -1); ; ) {
    if (asWritten.test(node.name) && at > node.from) return true
    if (!node.parent) return false
    node = node.parent
  }
}

import { EditorState, type Extension, type Transaction } from '@codemirror/state'

export type LineEnds = 'lf' | 'crlf' | 'mixed'

export function lineEndsOf(text: string): LineEnds {
  if (!text.includes('\r\n')) return 'lf'
  return /(^|[^\r])\n/.test(text) ? 'mixed' : 'crlf'
}

/**
 * Separator by which an editor splits a text so that every byte is preserved: mixed texts are split by `\n`, and
 * each `\r` stays at the end of its line.
 */
const separatorOf = (text: string) => (lineEndsOf(text) === 'crlf' ? '\r\n' : '\n')

/** Editor extension that preserves the line ends of a text. */
export function preserveLineEnds(text: string): Extension {
  const separator = EditorState.lineSeparator.of(separatorOf(text))
  return lineEndsOf(text) === 'mixed'
    ? [separator, EditorState.transactionFilter.of(insertBeforeCr)]
    : separator
}

/** A text with the line endings of another. */
export const withLineEnds = (text: string, lineBreak: string): string =>
  text.replaceAll(/\r\n?|\n/g, lineBreak)

/** In a text with mixed line endings, text typed at the end of a line goes before its `\r`. */
function insertBeforeCr(transaction: Transaction) {
  if (!transaction.isUserEvent('input')) return transaction
  const { doc } = transaction.startState
  const changes: { from: number; to: number; insert: Transaction['newDoc'] }[] = []
  let isMoved = false
  transaction.changes.iterChanges((...[from, to, , , insert]) => {
    const isAfterCr =
      from === to && from === doc.lineAt(from).to && doc.sliceString(from - 1, from) === '\r'
    isMoved ||= isAfterCr
    changes.push(isAfterCr ? { from: from - 1, to: from - 1, insert } : { from, to, insert })
  })
  if (!isMoved) return transaction
  const { main } = transaction.newSelection
  return {
    changes,
    selection: { anchor: main.anchor - 1, head: main.head - 1 },
    userEvent: 'input.type',
    scrollIntoView: true,
  }
}

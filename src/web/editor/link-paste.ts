import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Pasting an address over selected words turns them into a link. */
export const linkPaste = EditorView.domEventHandlers({
  paste(event, view) {
    const transaction = linked(view.state, event.clipboardData?.getData('text/plain') ?? '')
    if (!transaction) return false
    event.preventDefault()
    view.dispatch(transaction)
    return true
  },
})

/**
 * Turns the selected words into a link; undefined if the pasted text is no address, or the selection cannot be
 * linked.
 */
export function linked(state: EditorState, pasted: string): TransactionSpec | undefined {
  const { from, to, empty } = state.selection.main
  const address = pastedLinkOf(pasted.trim())
  const words = state.sliceDoc(from, to)
  if (state.readOnly || empty || address === undefined) return undefined
  if (/[[\]\r\n]/.test(words) || words.trim() === '' || pastedLinkOf(words.trim())) return undefined
  const link = `[${words}](${address})`
  return {
    changes: { from, to, insert: link },
    selection: EditorSelection.cursor(from + link.length),
    userEvent: 'input.paste',
    scrollIntoView: true,
  }
}

/** A web or mail address in a form suitable for a link. */
function pastedLinkOf(text: string): string | undefined {
  if (!/^(https?:\/\/|mailto:)[^\s<>]+$/i.test(text) || !URL.canParse(text)) return undefined
  return text.replaceAll('(', '%28').replaceAll(')', '%29')
}

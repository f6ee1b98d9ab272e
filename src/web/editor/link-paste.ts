import { EditorSelection, type EditorState, type TransactionSpec } from '@codemirror/state'
import { EditorView } from '@codemirror/view'

/** Pasting an address over selected words turns them into a link. */
export const linkPaste = EditorView.domEventHandlers({
  paste(event, view) {
    const transaction = linkSelection(view.state, event.clipboardData?.getData('text/plain') ?? '')
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
export function linkSelection(state: EditorState, pastedText: string): TransactionSpec | undefined {
  const { from, to, empty } = state.selection.main
  const address = toLinkAddress(pastedText.trim())
  const selectedText = state.sliceDoc(from, to)
  if (state.readOnly || empty || address === undefined) return undefined
  if (
    /[[\]\r\n]/.test(selectedText) ||
    selectedText.trim() === '' ||
    toLinkAddress(selectedText.trim())
  )
    return undefined
  const link = `[${selectedText}](${address})`
  return {
    changes: { from, to, insert: link },
    selection: EditorSelection.cursor(from + link.length),
    userEvent: 'input.paste',
    scrollIntoView: true,
  }
}

/** A web or mail address in a form suitable for a link. */
function toLinkAddress(text: string): string | undefined {
  if (!/^(https?:\/\/|mailto:)[^\s<>]+$/i.test(text) || !URL.canParse(text)) return undefined
  return text.replaceAll('(', '%28').replaceAll(')', '%29')
}

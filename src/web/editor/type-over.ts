import { EditorView } from '@codemirror/view'

/**
 * Replaces the selection with typed text itself: browsers would add an inline style to keep the formatting of the
 * old text, which the page's content security policy blocks.
 */
export const typeOverHandler = EditorView.domEventHandlers({ beforeinput: typeOver })

function typeOver(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event
  const { state } = view
  if (inputType !== 'insertText' || data === null || isComposing || state.readOnly) return false
  if (state.selection.main.empty) return false
  event.preventDefault()
  view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
  return true
}

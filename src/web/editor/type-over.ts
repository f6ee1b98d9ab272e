import { EditorView } from '@codemirror/view'

/**
 * Replaces the selection by typed text itself: a browser would keep the look of the old text with a style that the
 * page's policy refuses.
 */
export const typingOver = EditorView.domEventHandlers({ beforeinput: typeOver })

function typeOver(event: InputEvent, view: EditorView): boolean {
  const { data, inputType, isComposing } = event
  const { state } = view
  if (inputType !== 'insertText' || data === null || isComposing || state.readOnly) return false
  if (state.selection.main.empty) return false
  event.preventDefault()
  view.dispatch(state.replaceSelection(data), { userEvent: 'input.type', scrollIntoView: true })
  return true
}

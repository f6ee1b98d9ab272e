import type { Quote } from './NewComment.tsx'

type SelectionGetter = () => Quote | undefined

let editorSelection: SelectionGetter | undefined

/** Registers an editor's selection; returns a function that unregisters it. */
export function registerSelection(getSelection: SelectionGetter): () => void {
  editorSelection = getSelection
  return () => {
    if (editorSelection === getSelection) editorSelection = undefined
  }
}

/** Selection in the open editor; undefined if there is none, or no editor is open. */
export const currentEditorSelection: SelectionGetter = () => editorSelection?.()

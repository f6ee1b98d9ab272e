import type { Quote } from './NewComment.tsx'

type Selected = () => Quote | undefined

let ofEditor: Selected | undefined

/** Registers an editor's selection; returns a function that unregisters it. */
export function offerSelection(selected: Selected): () => void {
  ofEditor = selected
  return () => {
    if (ofEditor === selected) ofEditor = undefined
  }
}

/** Selection in the open editor; undefined if there is none, or no editor is open. */
export const selectedInEditor: Selected = () => ofEditor?.()

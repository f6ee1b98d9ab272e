import type { TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** A line that starts this many pixels above the visible area still counts as its first line. */
const edgePx = 12

/** Changes a text without moving the visible part, even if the editor does not have the focus. */
export function dispatchInPlace(view: EditorView, change: TransactionSpec): void {
  const { from, top } = view.lineBlockAtHeight(edgePx - view.documentTop)
  const before = view.documentTop + top
  const transaction = view.state.update(change)
  view.dispatch(transaction)
  if (before >= edgePx) return // the text begins in sight
  const at = transaction.changes.mapPos(from, 1)
  view.lineBlockAtHeight(0) // what changed is measured now; with the focus, the editor has scrolled then
  const moved = view.documentTop + view.lineBlockAt(at).top - before
  if (Math.abs(moved) > 1) window.scrollBy({ top: moved, behavior: 'instant' })
}

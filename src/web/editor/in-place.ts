import type { TransactionSpec } from '@codemirror/state'
import type { EditorView } from '@codemirror/view'

/** A line that starts this many pixels above the visible area still counts as its first line. */
const edgePx = 12

/** Changes a text without moving the visible part, even if the editor does not have the focus. */
export function dispatchInPlace(view: EditorView, change: TransactionSpec): void {
  const { from, top } = view.lineBlockAtHeight(edgePx - view.documentTop)
  const topBefore = view.documentTop + top
  const transaction = view.state.update(change)
  view.dispatch(transaction)
  if (topBefore >= edgePx) return // the start of the text is visible
  const anchor = transaction.changes.mapPos(from, 1)
  view.lineBlockAtHeight(0) // forces a measurement, during which a focused editor scrolls
  const shiftPx = view.documentTop + view.lineBlockAt(anchor).top - topBefore
  if (Math.abs(shiftPx) > 1) window.scrollBy({ top: shiftPx, behavior: 'instant' })
}

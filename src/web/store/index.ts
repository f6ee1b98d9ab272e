// Interface for screens to read and write the workspace. See docs/web-app.md.

export { useAllRowsOf, useIsUnconfirmed, useRow, useRows, useStreamState } from './hooks.ts'
export { askBeforeLeaving } from './leave-guard.ts'
export { useListedRows } from './listed.ts'
export { useSnapshot, type SnapshotQuery } from './load.ts'
export { useOutbox } from './use-outbox.ts'
export { screenCall, readScreen, useScreen } from './screen.ts'
export { onReload, scheduleReload, storeRows } from './row-sync.ts'
export { dismiss as dismissNotice, notify } from './writing/notices.ts'
export { table } from './rows.ts'
export { onEvent, type ServerEvent } from './stream/stream.ts'
export {
  onItemViewers,
  reportCursor,
  typedAt,
  useItemViewers,
  type ItemViewer,
} from './stream/presence.ts'
export { randomId } from './stream/tabs.ts'
export { serverIdOf } from './writing/made-rows.ts'
export { addUndoHandler, pushUndo, redoLast, nextUndoTexts, undoLast } from './writing/undo.ts'
export { writeGroup, groupedWrite } from './writing/together.ts'
export { write, type WriteOptions, type WriteResult } from './writing/write.ts'
export type { LastChange, RowOf, RowChange, RowType } from './types.ts'
export type { View, ViewState } from './view.ts'

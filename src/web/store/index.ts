// What screens read and write the workspace by. docs/web-app.md says how.

export { useIsUnconfirmed, useRow, useRows, useStreamState } from './hooks.ts'
export { useListed } from './listed.ts'
export { useSnapshot, type SnapshotQuery } from './load.ts'
export { useOutbox } from './use-outbox.ts'
export { reading, readScreen, useScreen } from './screen.ts'
export { readAgain, takeRows } from './row-sync.ts'
export { notify } from './writing/notices.ts'
export { table } from './rows.ts'
export { redoLast, undoable, undoLast } from './writing/undo.ts'
export { write, type WriteOptions, type WriteResult } from './writing/write.ts'
export type { LastChange, RowOf, RowChange, RowType } from './types.ts'
export type { View, ViewState } from './view.ts'

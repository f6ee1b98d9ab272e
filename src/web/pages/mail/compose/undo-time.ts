const key = 'workspace.mail-undo-seconds'

/** How many seconds a sent mail may be held. */
export const undoTimes = [5, 10, 20, 30] as const
export type UndoTime = (typeof undoTimes)[number]

const usual: UndoTime = 10

/** How long the server holds a mail that one sends, in which it can be taken back. Kept in this browser. */
export const undoTime = {
  get: (): UndoTime =>
    undoTimes.find((seconds) => String(seconds) === localStorage.getItem(key)) ?? usual,
  set: (seconds: UndoTime) => localStorage.setItem(key, String(seconds)),
}

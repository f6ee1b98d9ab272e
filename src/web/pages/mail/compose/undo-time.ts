const key = 'workspace.mail-undo-seconds'

/** Seconds that a sent mail may be held. */
export const undoTimes = [5, 10, 20, 30] as const
export type UndoTime = (typeof undoTimes)[number]

const defaultTime: UndoTime = 10

/** Time for which the server holds a sent mail, so that it can be recalled. Stored in this browser. */
export const undoTime = {
  get: (): UndoTime =>
    undoTimes.find((seconds) => String(seconds) === localStorage.getItem(key)) ?? defaultTime,
  set: (seconds: UndoTime) => localStorage.setItem(key, String(seconds)),
}

import type { Row } from '../../../records/resource.ts'
import { dayLength } from '../../../kernel/time/times.ts'

export type UndoState = 'possible' | 'done' | 'expired' | 'not_possible'

/** Whether the log allows a call to be undone; later changes are checked when it is tried. */
export function undoState(
  call: Pick<Row<'calls'>, 'kind' | 'status' | 'changed' | 'at'>,
  { undone, now, days }: { undone: boolean; now: number; days: number },
): UndoState {
  if (undone) return 'done'
  if (call.kind === 'read' || call.status !== 'ok' || call.changed === 0) return 'not_possible'
  return call.at < now - days * dayLength ? 'expired' : 'possible'
}

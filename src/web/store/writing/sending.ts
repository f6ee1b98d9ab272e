import { answerOf, type CallResponse } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'
import { readRowsNow } from '../row-reads.ts'
import type { AnyRow } from '../types.ts'
import { compareRows, maxWriteAgeMs, needsLook, type PendingWrite } from './pending-writes.ts'

export type WriteOutcome =
  | { state: 'done'; answer: CallResponse<unknown> | undefined }
  | { state: 'refused'; error: ApiError }
  /** Another person changed the same fields meanwhile: nothing was sent. */
  | { state: 'conflict'; by: string | undefined }
  /** Withdrawn before it was sent. */
  | { state: 'withdrawn' }

/** Sends a write once, after checking its rows if the server could execute it twice. @throws ApiError */
export async function sendOnce(pending: PendingWrite): Promise<WriteOutcome> {
  if (Date.now() - pending.at > maxWriteAgeMs)
    return {
      state: 'refused',
      error: new ApiError(0, { code: 'too_old', message: t.app.sync.tooOld }),
    }
  if (needsLook(pending)) {
    const rows = await readRowsNow(pending.changes)
    const standing = compareRows(pending, rows)
    if (standing === 'done') return { state: 'done', answer: undefined }
    if (standing === 'changed') return { state: 'conflict', by: lastChangeBy(rows) }
  }
  return {
    state: 'done',
    answer: await answerOf(pending.operation, pending.input, { idempotencyKey: pending.id }),
  }
}

/** Author of the last change of the first of some rows: a person, or an assistant by its key. */
function lastChangeBy(rows: ReadonlyMap<string, AnyRow>): string | undefined {
  const [first] = rows.values()
  const change = first?.last_change
  return change?.key?.title ?? change?.actor.title
}

/** Outcome of a write whose row was never created. */
export const neverMade: WriteOutcome = {
  state: 'refused',
  error: new ApiError(0, { code: 'not_made', message: t.app.sync.notMade }),
}

/** True if the same request may succeed later: offline, server busy, session ended. */
export function isPassing({ status, code }: ApiError): boolean {
  return status === 0 || status >= 500 || status === 401 || code === 'rate_limited'
}

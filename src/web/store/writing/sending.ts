import { callWithResponse, type CallResponse } from '../../api/client.ts'
import { ApiError } from '../../api/problem.ts'
import { t } from '../../texts/index.ts'
import { readRowsByRef } from '../row-reads.ts'
import type { AnyRow } from '../types.ts'
import { compareRows, maxWriteAgeMs, needsRowCheck, type PendingWrite } from './pending-writes.ts'

export type WriteOutcome =
  | { state: 'done'; answer: CallResponse<unknown> | undefined }
  | { state: 'refused'; error: ApiError }
  /** Another person changed the same fields meanwhile: nothing was sent. */
  | { state: 'conflict'; author: string | undefined }
  /** Withdrawn before it was sent. */
  | { state: 'withdrawn' }

/** Sends a write once, after checking its rows if the server could execute it twice. @throws ApiError */
export async function sendOnce(pending: PendingWrite): Promise<WriteOutcome> {
  if (Date.now() - pending.at > maxWriteAgeMs)
    return {
      state: 'refused',
      error: new ApiError(0, { code: 'too_old', message: t.app.sync.tooOld }),
    }
  if (needsRowCheck(pending)) {
    const rows = await readRowsByRef(pending.changes)
    const comparison = compareRows(pending, rows)
    if (comparison === 'done') return { state: 'done', answer: undefined }
    if (comparison === 'changed') return { state: 'conflict', author: lastAuthor(rows) }
  }
  return {
    state: 'done',
    answer: await callWithResponse(pending.operation, pending.input, {
      idempotencyKey: pending.id,
    }),
  }
}

/** Author of the last change of the first of some rows: a person, or an assistant by its key. */
function lastAuthor(rows: ReadonlyMap<string, AnyRow>): string | undefined {
  const [firstRow] = rows.values()
  const change = firstRow?.last_change
  return change?.key?.title ?? change?.actor.title
}

/** Outcome of a write whose row was never created. */
export const neverCreated: WriteOutcome = {
  state: 'refused',
  error: new ApiError(0, { code: 'not_made', message: t.app.sync.notMade }),
}

/** True if the same request may succeed later: offline, server busy, session ended. */
export function isTemporary({ status, code }: ApiError): boolean {
  return status === 0 || status >= 500 || status === 401 || code === 'rate_limited'
}

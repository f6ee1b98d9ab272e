import { post, readStampOf, type ReadStamp } from '../api/client.ts'
import type { AnyRow, RowOf, RowType } from './types.ts'

/** Current rows from the server, and the ids of those that do not exist or are not visible. */
export interface RowReadResult<T extends RowType> {
  rows: RowOf<T>[]
  removedIds: string[]
  stamp: ReadStamp | undefined
}

/** Reads rows of a type; at most 500. @throws ApiError */
export async function readRows<T extends RowType>(
  type: T,
  ids: readonly string[],
): Promise<RowReadResult<T>> {
  const answer = await post('/web/rows', { type, ids: [...ids] })
  return {
    rows: answer.rows as object[] as RowOf<T>[],
    removedIds: answer.gone,
    stamp: readStampOf(answer),
  }
}

/** Reads rows of mixed types, by id. @throws ApiError */
export async function readRowsByRef(
  refs: readonly { type: RowType; id: string }[],
): Promise<Map<string, AnyRow>> {
  const rowsById = new Map<string, AnyRow>()
  for (const [type, typeRefs] of Map.groupBy(refs, (item) => item.type)) {
    const { rows } = await readRows(type, [...new Set(typeRefs.map((item) => item.id))])
    for (const row of rows) rowsById.set(row.id, row)
  }
  return rowsById
}

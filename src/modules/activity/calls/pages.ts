import { badCursor, decodeCursor, encodeCursor } from '../../../records/paging.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { gather } from '../changes/batches.ts'
import { type CallPlace, callsIn } from './access-calls.ts'

/** The position in a cursor of a list of calls. @throws Refusal invalid_argument for one of another list */
export function callPlaceFromCursor(
  list: string,
  cursor: string | undefined,
): CallPlace | undefined {
  if (cursor === undefined) return undefined
  const [listName, at, id] = decodeCursor(cursor)
  if (listName !== list || typeof at !== 'number' || typeof id !== 'string') throw badCursor()
  return { at, id }
}

interface CallSelection {
  /** Calls selected by an index. */
  range: Scoped<'calls'>
  /** Conditions on the calls of a batch. */
  matching: (calls: Scoped<'calls'>) => Scoped<'calls'>
}

/** One page of a list of calls, newest first; `list` is its name in cursors. */
export async function pageOfCalls(
  list: string,
  { limit, start }: { limit: number; start: CallPlace | undefined },
  { range, matching }: CallSelection,
): Promise<{ rows: Row<'calls'>[]; has_more: boolean; next_cursor?: string }> {
  const { rows, more, next } = await gather(
    limit,
    start,
    ({ at, id }: Row<'calls'>): CallPlace => ({ at, id }),
    (beyond, length, remaining) =>
      callsIn(range, matching, { after: beyond, length, limit: remaining }),
  )
  return {
    rows,
    has_more: more,
    ...(more && next ? { next_cursor: encodeCursor([list, next.at, next.id]) } : {}),
  }
}

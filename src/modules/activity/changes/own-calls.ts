import type { ReadContext } from '../../../operations/context.ts'
import { trashDaysOf } from '../../directory/access.ts'
import { apiCall } from '../access.ts'
import { undoneAmong } from '../calls/access-undo.ts'
import { undoState, type UndoState } from '../calls/undo-states.ts'
import type { ChangeAuthor } from './origins.ts'

/** The reader's own call behind a change, and whether undo_api_call can revert it. */
export interface OwnCall {
  call_id: string
  undo: UndoState
}

/** The reader's own calls behind changes, by id. */
export async function ownCallsOf(
  ctx: ReadContext,
  changes: readonly Pick<ChangeAuthor, 'actor_id' | 'call_id'>[],
): Promise<Map<string, OwnCall>> {
  const ownChanges = changes.filter((change) => change.actor_id === ctx.actor.id)
  const calls = await apiCall.among(ctx, [...new Set(ownChanges.map((change) => change.call_id))])
  if (calls.size === 0) return new Map()
  const undone = await undoneAmong(ctx, [...calls.keys()])
  const days = await trashDaysOf(ctx)
  return new Map(
    [...calls].map(([id, call]) => [
      id,
      { call_id: id, undo: undoState(call, { undone: undone.has(id), now: ctx.now, days }) },
    ]),
  )
}

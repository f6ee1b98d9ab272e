import { isAdmin } from '../../../kernel/actor.ts'
import type { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { ItemRef, Row } from '../../../records/resource.ts'
import { refsAnywhere } from '../../../records/item-refs.ts'
import { changesOfCall, markUndone, originOf, undoneAmong } from './access-undo.ts'
import { trashDaysOf } from '../../directory/access.ts'
import type { UndoResult } from '../shapes.ts'
import { undoState } from './undo-states.ts'
import { Undoing } from './inverses.ts'

type Outcome = Pick<
  z.infer<typeof UndoResult>,
  'undone' | 'already_undone' | 'restored' | 'removed' | 'refused'
>

/**
 * Undoes one of the actor's own calls, item by item: each entirely or not at all, with the actor's current rights. An
 * undone call stays undone; undoing the undo restores its changes.
 */
export async function undoCall(ctx: WriteContext, call: Row<'calls'>): Promise<Outcome> {
  const entry = ctx.catalogue.find((await originOf(ctx, call)).tool)
  const refusal = entry && ctx.refusalFor(entry)
  if (refusal) throw refusal
  const undone = (await undoneAmong(ctx, [call.id])).has(call.id)
  const state = undoState(call, { undone, now: ctx.now, days: await trashDaysOf(ctx) })
  if (state === 'not_possible' && call.status === 'ok' && entry?.operation.undoCaveat)
    throw new Refusal(
      'conflict',
      `This ${call.tool} call recorded nothing that can be undone.`,
      entry.operation.undoCaveat,
    )
  if (state === 'not_possible')
    throw new Refusal(
      'conflict',
      call.status === 'ok'
        ? `This ${call.tool} call changed nothing, so there is nothing to undo.`
        : `This ${call.tool} call failed and changed nothing.`,
    )
  const changes = await changesOfCall(ctx, call)
  if (state === 'done')
    return {
      undone: true,
      already_undone: true,
      ...(await undoOutcomeOf(ctx, changes)),
      refused: [],
    }
  const run = new Undoing(ctx, changes, entry?.schemas.params.map((param) => param.param) ?? [], {
    isAllOrNothing: entry?.operation.atomicUndo === true,
    isUnlimited: entry?.operation.administratorsMayUndo === true && isAdmin(ctx.actor),
  })
  if (state === 'expired') run.refuseAll('expired')
  else await run.undoAll()
  if (run.restored.length > 0) await markUndone(ctx, call.id)
  return {
    undone: run.restored.length > 0 && run.refused.length === 0,
    ...(await undoOutcomeOf(ctx, run.restored)),
    refused: await refusals(ctx, run.refused),
  }
}

/**
 * Lists the items that were restored, and those removed because the call had created them or restored them from the
 * trash.
 */
async function undoOutcomeOf(
  ctx: WriteContext,
  changes: readonly Row<'changes'>[],
): Promise<Pick<Outcome, 'restored' | 'removed'>> {
  const isRemovedByUndo = (row: Row<'changes'>) => row.op === 'created' || row.op === 'restored'
  return {
    restored: await refsOf(
      ctx,
      changes.filter((change) => !isRemovedByUndo(change)),
    ),
    removed: await refsOf(ctx, changes.filter(isRemovedByUndo)),
  }
}

const reasonMessages = {
  changed_since: 'It has changed since, and undoing would overwrite that change.',
  sent_outside: 'It was sent outside and cannot be recalled.',
  expired: 'It is older than the trash retention period.',
  not_reversible:
    'The change cannot be reversed: the item was erased or sent, or you may no longer change it.',
} as const

async function refsOf(ctx: WriteContext, changes: readonly Row<'changes'>[]): Promise<ItemRef[]> {
  const refs = await refsAnywhere(
    ctx,
    changes.map((change) => ({ type: change.item_type, id: change.item_id })),
    ctx.baseUrl,
  )
  return [...refs.values()]
}

async function refusals(
  ctx: WriteContext,
  refused: Undoing['refused'],
): Promise<Outcome['refused']> {
  const refs = await refsAnywhere(
    ctx,
    refused.map(({ change }) => ({ type: change.item_type, id: change.item_id })),
    ctx.baseUrl,
  )
  return refused.map(({ change, reason }) => ({
    item: refs.get(change.item_id) ?? { type: change.item_type, id: change.item_id },
    reason,
    message: reasonMessages[reason],
  }))
}

import type { Id } from '../../../kernel/ids.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { type Viewer, accessScopeOf } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'
import type { Image } from '../../../records/row-images.ts'
import { apiCall } from '../access.ts'

/** Whether a project or task is in the trash. */
export async function isTrashed(
  viewer: Viewer,
  table: 'projects' | 'tasks',
  id: string,
): Promise<boolean> {
  const row = await accessScopeOf(viewer)
    .all.selectFrom(table as 'tasks')
    .select('id')
    .where('id', '=', id as Id<'tasks'>)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Finds which of these calls were undone, and by which call. */
export async function undoneAmong(
  reader: Viewer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const s = accessScopeOf(reader)
  const rows = await s.all
    .selectFrom('undone_calls')
    .select(['call_id', 'undone_by_call_id'])
    .where('call_id', 'in', [...ids])
    .where('org_id', '=', s.actor.org_id)
    .execute()
  return new Map(rows.map((row) => [row.call_id, row.undone_by_call_id]))
}

/** The original call behind a chain of undos: the operation whose changes are affected. */
export async function originOf(viewer: Viewer, call: Row<'calls'>): Promise<Row<'calls'>> {
  let origin = call
  while (origin.tool === 'undo_api_call') {
    const callRef = (JSON.parse(origin.items_json) as { type: string; id: string }[]).find(
      (item) => item.type === 'api_call',
    )
    const earlier = callRef && (await apiCall.find(viewer, callRef.id))
    if (!earlier) break
    origin = earlier
  }
  return origin
}

/** All changes by one of the actor's own calls, in order. */
export async function changesOfCall(reader: Viewer, call: Row<'calls'>): Promise<Row<'changes'>[]> {
  const s = accessScopeOf(reader)
  return s.all
    .selectFrom('changes')
    .selectAll()
    .where('call_id', '=', call.id)
    .where('actor_id', '=', s.actor.id)
    .orderBy('seq')
    .execute()
}

/** Above this number of later calls on an item, undone ones are not distinguished. */
const maxLaterCalls = 100

/**
 * Whether an item, or anything in it if it is a project, changed after a change, except by that change's call. Later
 * calls that were undone do not count, nor those that undid them.
 */
export async function changedSince(viewer: Viewer, change: Row<'changes'>): Promise<boolean> {
  const { all } = accessScopeOf(viewer)
  const later = all
    .selectFrom('changes')
    .select('call_id')
    .where('seq', '>', change.seq)
    .where('call_id', '<>', change.call_id)
    .where('for_person_id', 'is', null)
    .distinct()
  const laterCalls = await later
    .where('item_id', '=', change.item_id)
    .limit(maxLaterCalls + 1)
    .execute()
  if (await isAnyInForce(viewer, new Set(laterCalls.flatMap(({ call_id }) => call_id ?? []))))
    return true
  if (change.item_type !== 'project') return false
  const within = await later
    .where('project_id', '=', change.item_id as Id<'projects'>)
    .limit(1)
    .executeTakeFirst()
  return within !== undefined
}

/** Whether any of these calls was neither undone by another of them nor undid one. */
async function isAnyInForce(reader: Viewer, calls: ReadonlySet<string>): Promise<boolean> {
  if (calls.size > maxLaterCalls) return true
  const undone = [...(await undoneAmong(reader, [...calls]))].filter(([, by]) => calls.has(by))
  const undoneOrUndoing = new Set(undone.flat())
  return [...calls].some((id) => !undoneOrUndoing.has(id))
}

/** The current row for an image; undefined if there is none. Only for undo, after it has checked the item. */
export async function currentRowOf(
  ctx: WriteContext,
  { table, key }: Pick<Image, 'table' | 'key'>,
): Promise<Record<string, unknown> | undefined> {
  let query = accessScopeOf(ctx)
    .all.selectFrom(table as 'tasks')
    .selectAll()
  for (const [column, value] of Object.entries(key))
    query = query.where(column as 'id', '=', value as Id<'tasks'>)
  return query.executeTakeFirst()
}

/** Records that this call undid another; if that was itself an undo, its target is in force again. */
export async function markUndone(ctx: WriteContext, callId: string): Promise<void> {
  const { all, actor, now } = accessScopeOf(ctx)
  await all.deleteFrom('undone_calls').where('undone_by_call_id', '=', callId).execute()
  await all
    .insertInto('undone_calls')
    .values({
      call_id: callId,
      org_id: actor.org_id,
      undone_by_call_id: ctx.callId,
      undone_at: now,
    })
    .execute()
}

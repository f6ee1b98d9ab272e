import type { ReadContext } from '../../core/context.ts'
import { encodeCursor } from '../../core/paging.ts'
import { itemResources, type ItemRef } from '../../core/resource.ts'
import type { FieldChange } from '../../core/rows.ts'
import { iso } from '../../core/times.ts'
import { amongAnywhere } from '../activity/access.ts'
import { nameFields } from '../activity/shapes.ts'
import { peopleRefs } from '../people/shapes.ts'
import type { ChangeRow } from './access-deliveries.ts'

/** Larger ones lose what was changed to what. */
export const mostBytes = 256 * 1024

export type Payload = Record<string, unknown>

/**
 * What a webhook tells of a change, to somebody who may see its item now: that it happened and to what. Whoever wants more asks the API.
 * @returns undefined where they may not see it
 */
export async function payloadOf(ctx: ReadContext, change: ChangeRow, event: string): Promise<Payload | undefined> {
  const item = await itemOf(ctx, change)
  if (!item) return undefined
  const actor = (await peopleRefs(ctx, [change.actor_id])).get(change.actor_id)
  const [changes = []] = await nameFields(ctx, [JSON.parse(change.fields_json) as FieldChange[]])
  const head = { event, at: iso(change.at), ...(actor ? { actor } : {}), via: change.via, item }
  const tail = { seq: encodeCursor(['changes', change.seq]) }
  const whole = { ...head, changes, ...tail }
  if (Buffer.byteLength(JSON.stringify(whole)) <= mostBytes) return whole
  return { ...head, changes: changes.slice(0, 100).map(({ field }) => ({ field })), ...tail }
}

async function itemOf(ctx: ReadContext, { item_type, item_id }: ChangeRow): Promise<ItemRef | undefined> {
  const resource = itemResources().find(one => one.definition.type === item_type)
  const row = resource && (await amongAnywhere(ctx, resource, [item_id])).get(item_id)
  return row && resource.ref(row, ctx.baseUrl)
}

import type { ReadContext } from '../../operations/context.ts'
import { itemResources, type ItemRef } from '../../records/resource.ts'
import { amongAnywhere } from '../../records/item-refs.ts'
import { payloadsOf, type Payload } from '../activity/shapes.ts'
import type { DeliveryChangeRow } from './access-deliveries.ts'

export type { Payload } from '../activity/shapes.ts'

/**
 * Builds the webhook payload of a change for a person who may see the item now: that it happened and to which item.
 * Details come from the API.
 * @returns undefined if they may not see it
 */
export async function payloadOf(
  ctx: ReadContext,
  change: DeliveryChangeRow,
  event: string,
): Promise<Payload | undefined> {
  const item = await itemOf(ctx, change)
  return item && (await payloadsOf(ctx, [{ change, item }])).get(change.seq)!(event)
}

async function itemOf(
  ctx: ReadContext,
  { item_type, item_id }: DeliveryChangeRow,
): Promise<ItemRef | undefined> {
  const resource = itemResources().find(
    (itemResource) => itemResource.definition.type === item_type,
  )
  const row = resource && (await amongAnywhere(ctx, resource, [item_id])).get(item_id)
  return row && resource.ref(row, ctx.baseUrl)
}

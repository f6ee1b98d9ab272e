import type { ReadContext } from '../../../operations/context.ts'
import { filterableEvent, type EventFilter, visibleAmong } from '../../../events/filter.ts'
import type { ItemRef, Row } from '../../../records/resource.ts'
import { refsAnywhere } from '../../../records/item-refs.ts'
import { payloadsOf } from '../../activity/shapes.ts'
import { pastChanges } from './access-past-events.ts'
import { eventFor } from '../triggers/event-matches.ts'
import { loadItem, itemLookupFor } from '../automations/item-lookups.ts'
import { changesByField, type TriggerData } from '../expressions/scopes.ts'
import type { Trigger } from '../shapes.ts'

// Past events as an automation would have received them, for dry runs.

/** Maximum number of changes read. */
const maxScanned = 5000

export interface PastEvent {
  event: string
  at: number
  item: ItemRef
  change: Row<'changes'>
}

/**
 * Events since a moment that match a trigger and are visible to the owner, newest first; with an item, only its
 * events, of any time.
 */
export async function pastEvents(
  ctx: ReadContext,
  trigger: Trigger,
  ownerId: string,
  since: number,
  limit: number,
  itemId?: string,
): Promise<PastEvent[]> {
  if (trigger.type !== 'event') return []
  const { event: pattern, filter } = trigger.params as { event: string; filter?: EventFilter }
  const changes = (
    await pastChanges(ctx, since, itemId === undefined ? maxScanned : 200, itemId)
  ).filter(
    (pastChange) => pastChange.for_person_id === null || pastChange.for_person_id === ownerId,
  )
  const matched = changes.flatMap((change) => {
    const event = eventFor(pattern, filter, ownerId, filterableEvent(change))
    return event === undefined ? [] : [{ event, change }]
  })
  const visibleSeqs = await visibleAmong(
    ctx,
    matched.map((item) => item.change),
  )
  const visible = matched.filter((item) => visibleSeqs.has(item.change.seq)).slice(0, limit)
  const refs = await refsAnywhere(
    ctx,
    visible.map(({ change }) => ({ type: change.item_type, id: change.item_id })),
    ctx.baseUrl,
  )
  return visible.flatMap(({ event, change }) => {
    const item = refs.get(change.item_id)
    return item ? [{ event, at: change.at, item, change }] : []
  })
}

/** Trigger data for an event. */
export async function eventTriggerData(
  ctx: ReadContext,
  { change, item, event }: PastEvent,
): Promise<Pick<TriggerData, 'item' | 'event' | 'actor' | 'changes'>> {
  const payload = (await payloadsOf(ctx, [{ change, item }])).get(change.seq)!(event) as Record<
    string,
    unknown
  >
  return {
    item: await fullItem(ctx, item),
    event: { name: event, at: payload.at ?? null, via: payload.via ?? null },
    actor: payload.actor ?? null,
    changes: changesByField(payload.changes),
  }
}

/** An item as returned by its own operation. */
export async function fullItem(ctx: ReadContext, item: ItemRef): Promise<unknown> {
  return loadItem((tool, args) => ctx.call(tool, args), item, await itemLookupFor(ctx, item))
}

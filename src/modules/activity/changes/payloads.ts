import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { encodeCursor } from '../../../records/paging.ts'
import type { ItemRef } from '../../../records/resource.ts'
import type { FieldChange } from '../../../records/row-images.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import type { EventChangeRow } from './access-events.ts'
import { nameFields } from './field-names.ts'

/** Larger payloads lose the changed values. */
const maxBytes = 256 * 1024

export type Payload = Record<string, unknown>

/** A change with its item as visible to the reader: if invisible, only type and id. */
export interface VisibleChange {
  change: Pick<EventChangeRow, 'seq' | 'at' | 'actor_id' | 'via' | 'fields_json'>
  item: ItemRef | { type: string; id: string }
}

/**
 * Payloads for subscribers, by seq and then by event name: they state that something happened and to which item;
 * details come from the API.
 * The items must be visible to the reader; other items that the changes refer to are checked here.
 */
export async function payloadsOf(
  ctx: ReadContext,
  seen: readonly VisibleChange[],
): Promise<Map<number, (event: string) => Payload>> {
  const people = await peopleRefs(ctx, [...new Set(seen.map((item) => item.change.actor_id))])
  const fields = await nameFields(
    ctx,
    seen.map((item) => JSON.parse(item.change.fields_json) as FieldChange[]),
  )
  return new Map(
    seen.map(({ change, item }, i) => [
      change.seq,
      (event: string) => {
        const actor = people.get(change.actor_id)
        const head = omitNullish({
          event,
          at: iso(change.at),
          actor,
          via: change.via,
          item,
        })
        return boundedPayload(head, fields[i]!.changes, {
          seq: encodeCursor(['changes', change.seq]),
        })
      },
    ]),
  )
}

function boundedPayload(head: object, changes: readonly FieldChange[], tail: object): Payload {
  const whole = { ...head, changes, ...tail }
  if (Buffer.byteLength(JSON.stringify(whole)) <= maxBytes) return whole
  return { ...head, changes: changes.slice(0, 100).map(({ field }) => ({ field })), ...tail }
}

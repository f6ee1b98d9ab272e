import { present } from '../../../kernel/present.ts'
import { iso } from '../../../kernel/time/times.ts'
import type { LastChange } from '../../../operations/event-feed.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { lastChangeRows } from './access-events.ts'
import { originsOf } from './origins.ts'
import { viaShown } from './verbs.ts'

/** Who changed items last, and by what, by item. The items are ones that the reader may see. */
export async function lastChanges(
  ctx: ReadContext,
  ids: readonly string[],
): Promise<Map<string, LastChange>> {
  const rows = await lastChangeRows(ctx, ids)
  const people = await peopleRefs(ctx, [...new Set(rows.map((row) => row.actor_id))])
  const origins = await originsOf(ctx, rows)
  return new Map(
    rows.map((row, i) => [
      row.item_id,
      present({
        at: iso(row.at),
        actor: people.get(row.actor_id) ?? { id: row.actor_id, title: '' },
        via: viaShown(row.via),
        ...origins[i],
      }),
    ]),
  )
}

import { omitNullish } from '../../../kernel/present.ts'
import { iso } from '../../../kernel/time/times.ts'
import type { LastChange } from '../../../operations/event-feed.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { lastChangeRows } from './access-events.ts'
import { originsOf } from './origins.ts'
import { viaGroup } from './verbs.ts'

/** Person and program behind the last change of each item, by item. The reader must be able to see the items. */
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
      omitNullish({
        at: iso(row.at),
        actor: people.get(row.actor_id) ?? { id: row.actor_id, title: '' },
        via: viaGroup(row.via),
        ...origins[i],
      }),
    ]),
  )
}

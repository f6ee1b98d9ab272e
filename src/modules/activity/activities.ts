import { present } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetime, paging, pageOf } from '../../kernel/fields.ts'
import { anyItem } from '../../records/items.ts'
import { operation } from '../../operations/operation.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../records/paging.ts'
import type { ItemRef, Row } from '../../records/resource.ts'
import type { FieldChange } from '../../records/row-images.ts'
import { instant, iso } from '../../kernel/time/times.ts'
import { person } from '../directory/access.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { project } from '../portfolio/access.ts'
import { changesIn, seqOf } from './changes/access-changes.ts'
import { keyNames } from './access.ts'
import { changeRefs, itemIdOf } from './changes/item-refs.ts'
import { nameFields } from './changes/field-names.ts'
import { automationsBehind } from './changes/origins.ts'
import { ActivityEntry } from './shapes.ts'
import { gather } from './changes/batches.ts'
import { ownCallsOf } from './changes/own-calls.ts'
import { verbOf, viaShown, vias, viasOf } from './changes/verbs.ts'

const kindPattern = /^[a-z_]{2,40}(\.[a-z_]{2,40})?$/

export const listActivity = operation({
  name: 'list_activity',
  searchHint: 'history, who changed what, audit trail, who edited, log of changes',
  kind: 'read',
  rest: 'GET /api/activities',
  about:
    'Who changed what on items visible to you, by item, person, project or kind; distinguishes people and keys; use get_digest to catch up',
  on: { item: anyItem.anywhere.maybe, person: person.see.maybe, project: project.see.maybe },
  input: {
    kind: z
      .array(z.string().max(81).regex(kindPattern, 'must be an item type, an event or a verb'))
      .max(20)
      .optional()
      .describe('item types (task), events (task.completed) or verbs (completed)'),
    via: z.enum(vias).optional().describe('how it was made'),
    after: datetime().optional(),
    before: datetime().optional(),
    ...paging,
  },
  output: pageOf(ActivityEntry),
  async handle({ item, person, project, kind, via, after, before, limit, cursor }, ctx) {
    const zone = ctx.actor.timezone
    const filter = {
      itemId: item && itemIdOf(item),
      projectId: project?.id,
      actorId: person?.id,
      via: via && viasOf(via),
      kinds: kind && kind.length > 0 ? kind : undefined,
      after: after === undefined ? undefined : instant(after, zone, 'start', 'after'),
      before: before === undefined ? undefined : instant(before, zone, 'end', 'before'),
      access: false,
    }
    const start = cursor === undefined ? undefined : placeIn(cursor)
    const found = await gather(limit, start, seqOf, (beyond, length, rest) =>
      changesIn(ctx, filter, { beyond, dir: 'desc', length }, rest),
    )
    return present({
      items: await showActivity(ctx, found.rows),
      has_more: found.more,
      next_cursor: found.more ? encodeCursor(['activity', found.next ?? 0]) : undefined,
    })
  },
})

function placeIn(cursor: string): number {
  const [made, seq] = decodeCursor(cursor)
  if (made !== 'activity' || typeof seq !== 'number') throw badCursor()
  return seq
}

async function showActivity(
  ctx: ReadContext,
  rows: readonly Row<'changes'>[],
): Promise<z.infer<typeof ActivityEntry>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.actor_id),
  )
  const keys = await keyNames(
    ctx,
    rows.flatMap((row) => row.key_id ?? []),
  )
  const refs = await changeRefs(ctx, rows)
  const automations = await automationsBehind(ctx, rows)
  const calls = await ownCallsOf(ctx, rows)
  const changes = await nameFields(
    ctx,
    rows.map((row) => JSON.parse(row.fields_json) as FieldChange[]),
  )
  return rows.map((row, i) =>
    present({
      id: `acy_${String(row.seq).padStart(26, '0')}`,
      at: iso(row.at),
      actor: people.get(row.actor_id) ?? { id: row.actor_id, title: '' },
      via: viaShown(row.via),
      ...keyName(keys, row.key_id),
      automation:
        row.run_id !== null && automations.has(row.run_id)
          ? automations.get(row.run_id)!
          : undefined,
      verb: verbOf(row.op, JSON.parse(row.events_json) as string[]),
      item: refs.get(row.seq) as ItemRef,
      changes: changes[i]!,
      ...calls.get(row.call_id),
    }),
  )
}

function keyName(keys: Map<string, string>, id: string | null): { key_name?: string } {
  const name = id === null ? undefined : keys.get(id)
  return name === undefined ? {} : { key_name: name }
}

import { omitNullish } from '../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { paging, pageOf } from '../../kernel/fields.ts'
import type { FilterValues } from '../../operations/filters.ts'
import { operation } from '../../operations/operation.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../records/paging.ts'
import type { ItemRef, Row } from '../../records/resource.ts'
import type { FieldChange } from '../../records/row-images.ts'
import { iso } from '../../kernel/time/times.ts'
import { peopleRefs } from '../directory/shapes.ts'
import {
  type ChangeSelection,
  type DrivingColumn,
  changesIn,
  seqOf,
} from './changes/access-changes.ts'
import { keyNames } from './access.ts'
import { changeFilters, rangeFilters } from './changes/filters.ts'
import { changeRefs } from './changes/item-refs.ts'
import { nameFields } from './changes/field-names.ts'
import { automationsOfChanges } from './changes/origins.ts'
import { ActivityEntry } from './shapes.ts'
import { trustOf } from '../../records/shapes.ts'
import { gather } from './changes/batches.ts'
import { ownCallsOf } from './changes/own-calls.ts'
import { verbOf, viaGroup } from './changes/verbs.ts'

const ranges = rangeFilters.pick('item', 'person', 'project', 'after', 'before')
const kinds = changeFilters.pick('kind', 'via')

export const listActivity = operation({
  name: 'list_activity',
  searchHint: 'history, who changed what, audit trail, who edited, log of changes',
  kind: 'read',
  rest: 'GET /api/activities',
  about:
    'Who changed what on items visible to you, by item, person, project or kind; distinguishes people and keys; use get_digest to catch up',
  on: ranges.on,
  input: { ...kinds.input, ...ranges.input, ...paging },
  output: pageOf(ActivityEntry),
  async handle({ limit, cursor, ...filter }, ctx) {
    const start = cursor === undefined ? undefined : parseActivityCursor(cursor)
    const range = await ranges.read(ctx, filter)
    const kind = await kinds.read(ctx, filter)
    const drivenBy = drivingColumn(range)
    const selection: ChangeSelection = {
      drivenBy,
      range: (log) => ranges.apply(log, range, drivenBy),
      matching: (log) => kinds.apply(log, kind, ctx),
      includesAccess: false,
    }
    const page = await gather(limit, start, seqOf, (beyond, length, remaining) =>
      changesIn(ctx, selection, { after: beyond, dir: 'desc', length }, remaining),
    )
    return omitNullish({
      items: await presentActivity(ctx, page.rows),
      has_more: page.more,
      next_cursor: page.more ? encodeCursor(['activity', page.next ?? 0]) : undefined,
    })
  },
})

/** The most selective column for a query: of an item, a project, a person, else the organization. */
function drivingColumn(range: FilterValues<typeof ranges>): DrivingColumn {
  if (range.item !== undefined) return 'item_id'
  if (range.project !== undefined) return 'project_id'
  return range.person === undefined ? 'org_id' : 'actor_id'
}

function parseActivityCursor(cursor: string): number {
  const [listName, seq] = decodeCursor(cursor)
  if (listName !== 'activity' || typeof seq !== 'number') throw badCursor()
  return seq
}

async function presentActivity(
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
  const automations = await automationsOfChanges(ctx, rows)
  const calls = await ownCallsOf(ctx, rows)
  const namedFields = await nameFields(
    ctx,
    rows.map((row) => JSON.parse(row.fields_json) as FieldChange[]),
  )
  return rows.map((row, i) => {
    const item = refs.get(row.seq) as ItemRef
    const { changes, isExternal } = namedFields[i]!
    return omitNullish({
      id: `acy_${String(row.seq).padStart(26, '0')}`,
      at: iso(row.at),
      actor: people.get(row.actor_id) ?? { id: row.actor_id, title: '' },
      via: viaGroup(row.via),
      ...keyName(keys, row.key_id),
      automation:
        row.run_id !== null && automations.has(row.run_id)
          ? automations.get(row.run_id)!
          : undefined,
      verb: verbOf(row.op, JSON.parse(row.events_json) as string[]),
      item,
      changes,
      ...trustOf(isExternal || item.trust === 'external'),
      ...calls.get(row.call_id),
    })
  })
}

function keyName(keys: Map<string, string>, id: string | null): { key_name?: string } {
  const name = id === null ? undefined : keys.get(id)
  return name === undefined ? {} : { key_name: name }
}

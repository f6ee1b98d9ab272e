import { z } from 'zod'
import { datetimeString, pageOf, paging } from '../../kernel/fields.ts'
import { omitNullish } from '../../kernel/present.ts'
import { shape } from '../../kernel/shape.ts'
import { iso } from '../../kernel/time/times.ts'
import type { ReadContext } from '../../operations/context.ts'
import { operation } from '../../operations/operation.ts'
import { anyItem } from '../../records/items.ts'
import { badCursor, cut, decodeCursor, encodeCursor, pageWithItems } from '../../records/paging.ts'
import type { Row } from '../../records/resource.ts'
import type { FieldChange } from '../../records/row-images.ts'
import { Ref, trust, trustOf } from '../../records/shapes.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { changesIn } from './changes/access-changes.ts'
import { publicFieldName, nameFields } from './changes/field-names.ts'
import { itemIdOf } from './changes/item-refs.ts'
import { originsOf } from './changes/origins.ts'
import { ownCallsOf } from './changes/own-calls.ts'
import { viaGroup, vias } from './changes/verbs.ts'
import { undoStates } from './shapes.ts'

/** Maximum changes of the item searched, newest first. */
const maxChanges = 1000

const LastFieldChange = shape('LastFieldChange', {
  field: z.string(),
  at: datetimeString(),
  actor: Ref,
  via: z.enum(vias),
  key_name: z.string().optional(),
  automation: Ref.optional(),
  from: z.unknown(),
  to: z.unknown(),
  trust,
  call_id: z.string().optional().describe('your own call, for undo_api_call'),
  undo: z.enum(undoStates).optional(),
})

export const listFieldChanges = operation({
  name: 'list_field_changes',
  searchHint: 'who set this, provenance, who changed the due date, last edit of each field',
  kind: 'read',
  rest: 'GET /api/field-changes',
  about: 'Who set each field of an item last, when, and what it was before',
  on: { item: anyItem.anywhere },
  input: { ...paging },
  output: pageOf(LastFieldChange),
  async handle({ item, limit, cursor }, ctx) {
    const { rows } = await changesIn(
      ctx,
      {
        drivenBy: 'item_id',
        range: (log) => log.where('changes.item_id', '=', itemIdOf(item)),
        includesAccess: false,
      },
      { after: undefined, dir: 'desc', length: maxChanges },
      maxChanges,
    )
    const all = lastChangePerField(rows)
    const remaining = cursor === undefined ? all : all.slice(indexAfter(all, cursor))
    const page = cut(remaining.slice(0, limit + 1), limit, ({ row, change }) =>
      encodeCursor(['fields', row.seq, change.field]),
    )
    const isExternal = item.resource.definition.isExternal?.(item.row) === true
    return pageWithItems(page, await presentFieldChanges(ctx, page.items, isExternal))
  },
})

/** Index after the cursor in a list that is newest first; fields changed meanwhile are skipped. */
function indexAfter(all: readonly LastChangeOfField[], cursor: string): number {
  const [listName, seq, field] = decodeCursor(cursor)
  if (listName !== 'fields' || typeof seq !== 'number') throw badCursor()
  const exact = all.findIndex((item) => item.row.seq === seq && item.change.field === field)
  if (exact >= 0) return exact + 1
  const older = all.findIndex((item) => item.row.seq < seq)
  return older < 0 ? all.length : older
}

interface LastChangeOfField {
  row: Row<'changes'>
  change: FieldChange
}

/** The newest change per field. */
function lastChangePerField(newestFirst: readonly Row<'changes'>[]): LastChangeOfField[] {
  const last = new Map<string, LastChangeOfField>()
  for (const row of newestFirst)
    for (const change of JSON.parse(row.fields_json) as FieldChange[]) {
      const field = publicFieldName(change.field)
      if (!last.has(field)) last.set(field, { row, change })
    }
  return [...last.values()]
}

async function presentFieldChanges(
  ctx: ReadContext,
  last: readonly LastChangeOfField[],
  isExternal: boolean,
): Promise<z.infer<typeof LastFieldChange>[]> {
  const rows = last.map((item) => item.row)
  const people = await peopleRefs(ctx, [...new Set(rows.map((row) => row.actor_id))])
  const origins = await originsOf(ctx, rows)
  const calls = await ownCallsOf(ctx, rows)
  const namedFields = await nameFields(
    ctx,
    last.map((item) => [item.change]),
  )
  return namedFields.flatMap((fields, i) => {
    const [change] = fields.changes
    const row = rows[i]
    if (!change || !row) return []
    return [
      {
        ...change,
        at: iso(row.at),
        actor: people.get(row.actor_id) ?? { id: row.actor_id, title: '' },
        via: viaGroup(row.via),
        ...trustOf(fields.isExternal || isExternal),
        ...omitNullish({ key_name: origins[i]?.key?.title, automation: origins[i]?.automation }),
        ...calls.get(row.call_id),
      },
    ]
  })
}

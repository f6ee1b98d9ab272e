import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { paging, pageOf } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { decodeCursor, encodeCursor } from '../../../records/paging.ts'
import { invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import type { FieldChange } from '../../../records/row-images.ts'
import { iso } from '../../../kernel/time/times.ts'
import { type ChangeSelection, changesIn, newestSeq, seqOf } from './access-changes.ts'
import { changeFilters, rangeFilters } from './filters.ts'
import { changeRefs } from './item-refs.ts'
import { publicFieldName } from './field-names.ts'
import { Change } from '../shapes.ts'
import { gather } from './batches.ts'

const sinceFilter = rangeFilters.pick('since')
const typeFilter = changeFilters.pick('types')

export const listChanges = operation({
  name: 'list_changes',
  searchHint: 'sync, what changed since, delta, poll for changes, mirror',
  kind: 'read',
  rest: 'GET /api/changes',
  about:
    'All changes visible to you since a cursor or time, for syncing; for a summary use get_digest',
  input: {
    since_cursor: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('since_cursor of an earlier answer, or seq of a change'),
    ...sinceFilter.input,
    ...typeFilter.input,
    ...paging,
  },
  output: pageOf(Change).extend({
    /** Always present, also at the end: the cursor for the next request. */
    since_cursor: z.string(),
  }),
  async handle({ since_cursor, limit, cursor, ...filter }, ctx) {
    const types = await typeFilter.read(ctx, filter)
    const since = await sinceFilter.read(ctx, filter)
    const selection: ChangeSelection = {
      drivenBy: 'org_id',
      range: (log) => sinceFilter.apply(log, since, 'org_id'),
      matching: (log) => typeFilter.apply(log, types, ctx),
      includesAccess: true,
    }
    const start = Math.max(
      parseChangesCursor(since_cursor, 'since_cursor'),
      parseChangesCursor(cursor, 'cursor'),
    )
    const newest = await newestSeq(ctx) // read first: changes made meanwhile belong to the next request
    const page = await gather(limit, start, seqOf, (beyond, length, remaining) =>
      changesIn(ctx, selection, { after: beyond, dir: 'asc', length }, remaining),
    )
    const next = encodeCursor([
      'changes',
      page.more ? (page.next ?? start) : Math.max(start, newest, page.next ?? 0),
    ])
    return omitNullish({
      items: await presentChanges(ctx, page.rows),
      has_more: page.more,
      next_cursor: page.more ? next : undefined,
      since_cursor: next,
    })
  },
})

function parseChangesCursor(cursor: string | undefined, field: string): number {
  if (cursor === undefined) return 0
  const [listName, seq] = decodeCursor(cursor, field)
  if (listName === 'changes' && typeof seq === 'number') return seq
  throw invalid(
    field,
    'is not a cursor of list_changes.',
    'Send since_cursor of an earlier answer unchanged, or since with a time.',
  )
}

async function presentChanges(
  ctx: ReadContext,
  rows: readonly Row<'changes'>[],
): Promise<z.infer<typeof Change>[]> {
  const refs = await changeRefs(
    ctx,
    rows.filter((row) => row.op !== 'access_lost'),
  )
  return rows.map((row) => ({
    seq: encodeCursor(['changes', row.seq]),
    at: iso(row.at),
    op: row.op,
    item: refs.get(row.seq) ?? { type: row.item_type, id: row.item_id },
    fields: fieldNames(row),
  }))
}

function fieldNames(row: Row<'changes'>): string[] {
  const fields = JSON.parse(row.fields_json) as FieldChange[]
  return [...new Set(fields.map((field) => publicFieldName(field.field)))]
}

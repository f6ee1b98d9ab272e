import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { CallDetails } from '../../../audit/entry.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { refsOf } from '../../../records/item-refs.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { trashDaysOf } from '../../directory/access.ts'
import { apiCall, keyNames } from '../access.ts'
import { undoneAmong } from './access-undo.ts'
import type { ApiCall } from '../shapes.ts'
import { undoState } from './undo-states.ts'

/** Log entries in the form shown to the person who made the calls. */
export async function presentCalls(
  ctx: ReadContext,
  rows: readonly Row<'calls'>[],
): Promise<z.infer<typeof ApiCall>[]> {
  const items = rows.map((row) => JSON.parse(row.items_json) as { type: string; id: string }[])
  const refs = await refsOf(ctx, items.flat(), ctx.baseUrl)
  const keys = await keyNames(
    ctx,
    rows.flatMap((row) => row.key_id ?? []),
  )
  const undone = await undoneAmong(
    ctx,
    rows.map((row) => row.id),
  )
  const days = await trashDaysOf(ctx)
  return rows.map((row, i) =>
    omitNullish({
      id: row.id,
      at: iso(row.at),
      key: { id: row.key_id ?? '', title: keys.get(row.key_id ?? '') ?? '' },
      tool: row.tool,
      ...detailsOf(row),
      transport: row.transport,
      kind: row.kind,
      status: row.status,
      error_code: row.error_code,
      items: items[i]!.flatMap((item) => refs.get(item.id) ?? []),
      result_count: row.result_count,
      duration_ms: Math.round(row.duration_us / 1000),
      idempotency_key: row.idempotency_key,
      undo: undoState(row, { undone: undone.has(row.id), now: ctx.now, days }),
      url: apiCall.url(row, ctx.baseUrl),
    }),
  )
}

/** Details of the call; empty if they were erased. */
function detailsOf(row: Row<'calls'>) {
  if (row.details_json === null) return { route: '', arguments: {}, ip: '' }
  const { route, arguments: args, ip, client } = JSON.parse(row.details_json) as CallDetails
  return omitNullish({ route, arguments: args, ip, client })
}

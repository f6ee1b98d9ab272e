import { z } from 'zod'
import type { CallDetails } from '../../audit/record.ts'
import type { ReadContext } from '../../core/context.ts'
import { datetime, paging, pageOf } from '../../core/fields.ts'
import { anyItem, refsOf } from '../../core/items.ts'
import { operation } from '../../core/operation.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../core/paging.ts'
import type { Row } from '../../core/resource.ts'
import { instant, iso } from '../../core/times.ts'
import { apiCall, apiKey, callsIn, undoneAmong, type CallPlace } from './access.ts'
import { trashDaysOf } from '../people/access.ts'
import { ApiCall, UndoResult } from './shapes.ts'
import { gather } from './stretches.ts'
import { undoCall } from './undo.ts'
import { undoState } from './undo-states.ts'

export const listApiCalls = operation({
  name: 'list_api_calls',
  kind: 'read',
  rest: 'GET /api/api-calls',
  about: 'Log of calls made with own keys: tool, redacted arguments, result, items touched, time taken',
  on: { key: apiKey.see.maybe, item: anyItem.anywhere.maybe },
  input: {
    tool: z.string().max(80).optional(),
    status: z.enum(['ok', 'error', 'denied']).optional(),
    kind: z.enum(['read', 'write', 'destructive']).optional(),
    after: datetime().optional(),
    before: datetime().optional(),
    ...paging,
  },
  output: pageOf(ApiCall),
  async handle({ key, item, tool, status, kind, after, before, limit, cursor }, ctx) {
    const zone = ctx.actor.timezone
    const filter = {
      keyId: key?.id,
      itemId: item?.row.id,
      tool: tool === undefined ? undefined : (ctx.catalogue.find(tool)?.operation.name ?? tool),
      status,
      kind,
      after: after === undefined ? undefined : instant(after, zone, 'start', 'after'),
      before: before === undefined ? undefined : instant(before, zone, 'end', 'before'),
    }
    const start = cursor === undefined ? undefined : placeIn(cursor)
    const found = await gather(limit, start, ({ at, id }: Row<'calls'>): CallPlace => ({ at, id }), (beyond, length, rest) => callsIn(ctx, filter, beyond, length, rest))
    const next = found.more && found.next ? { next_cursor: encodeCursor(['calls', found.next.at, found.next.id]) } : {}
    return { items: await showCalls(ctx, found.rows), has_more: found.more, ...next }
  },
})

export const undoApiCall = operation({
  name: 'undo_api_call',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/api-calls/{call_id}/undo',
  about: 'Reverse a change made with an own key when nothing newer depends on it; says what cannot be undone',
  on: { call: apiCall.see },
  dryRun: true,
  reports: true,
  output: UndoResult,
  async handle({ call }, ctx) {
    const done = await undoCall(ctx, call)
    return { call: { id: call.id, title: call.tool, url: apiCall.url(call, ctx.baseUrl) }, ...done, dry_run: ctx.dryRun }
  },
})

function placeIn(cursor: string): CallPlace {
  const [made, at, id] = decodeCursor(cursor)
  if (made !== 'calls' || typeof at !== 'number' || typeof id !== 'string') throw badCursor()
  return { at, id }
}

async function showCalls(ctx: ReadContext, rows: readonly Row<'calls'>[]): Promise<z.infer<typeof ApiCall>[]> {
  const items = rows.map(row => JSON.parse(row.items_json) as { type: string; id: string }[])
  const refs = await refsOf(ctx, items.flat(), ctx.baseUrl)
  const keys = await apiKey.among(ctx, rows.flatMap(row => row.key_id ?? []))
  const undone = await undoneAmong(ctx, rows.map(row => row.id))
  const days = await trashDaysOf(ctx)
  return rows.map((row, i) => ({
    id: row.id,
    at: iso(row.at),
    key: { id: row.key_id ?? '', title: keys.get(row.key_id ?? '')?.name ?? '' },
    tool: row.tool,
    ...detailsOf(row),
    transport: row.transport,
    kind: row.kind,
    status: row.status,
    ...(row.error_code === null ? {} : { error_code: row.error_code }),
    items: items[i]!.flatMap(one => refs.get(one.id) ?? []),
    ...(row.result_count === null ? {} : { result_count: row.result_count }),
    duration_ms: Math.round(row.duration_us / 1000),
    ...(row.idempotency_key === null ? {} : { idempotency_key: row.idempotency_key }),
    undo: undoState(row, { undone: undone.has(row.id), now: ctx.now, days }),
    url: apiCall.url(row, ctx.baseUrl),
  }))
}

/** Of a call whose details were erased, nothing is known but that it was made. */
function detailsOf(row: Row<'calls'>) {
  if (row.details_json === null) return { route: '', arguments: {}, ip: '' }
  const { route, arguments: args, ip, client } = JSON.parse(row.details_json) as CallDetails
  return { route, arguments: args, ip, ...(client ? { client } : {}) }
}

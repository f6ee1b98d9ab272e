import { z } from 'zod'
import { datetime, paging, pageOf } from '../../../kernel/fields.ts'
import { anyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { instant } from '../../../kernel/time/times.ts'
import { apiCall, apiKey } from '../access.ts'
import { type CallPlace, callsIn } from './access-calls.ts'
import { ApiCall, UndoResult } from '../shapes.ts'
import { showCalls } from './presenter.ts'
import { gather } from '../changes/batches.ts'
import { undoCall } from './undo.ts'

export const listApiCalls = operation({
  name: 'list_api_calls',
  searchHint: 'what did my assistant do, call log, tool history, audit of the AI',
  kind: 'read',
  rest: 'GET /api/api-calls',
  about:
    'Log of calls made with your keys: tool, redacted arguments, result, items touched, duration',
  on: { key: apiKey.see.maybe, item: anyItem.anywhere.maybe },
  input: {
    tool: z.string().max(80).optional().describe('name of a tool'),
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
    const found = await gather(
      limit,
      start,
      ({ at, id }: Row<'calls'>): CallPlace => ({ at, id }),
      (beyond, length, rest) => callsIn(ctx, filter, beyond, length, rest),
    )
    const next =
      found.more && found.next
        ? { next_cursor: encodeCursor(['calls', found.next.at, found.next.id]) }
        : {}
    return { items: await showCalls(ctx, found.rows), has_more: found.more, ...next }
  },
})

export const undoApiCall = operation({
  name: 'undo_api_call',
  searchHint: 'undo, revert, roll back, mistake, take it back',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/api-calls/{call_id}/undo',
  about:
    'Undo a change made with your key if nothing newer depends on it; reports what cannot be undone',
  on: { call: apiCall.see },
  dryRun: true,
  reportsProgress: true,
  output: UndoResult,
  async handle({ call }, ctx) {
    const done = await undoCall(ctx, call)
    return {
      call: { id: call.id, title: call.tool, url: apiCall.url(call, ctx.baseUrl) },
      ...done,
      dry_run: ctx.dryRun,
    }
  },
})

function placeIn(cursor: string): CallPlace {
  const [made, at, id] = decodeCursor(cursor)
  if (made !== 'calls' || typeof at !== 'number' || typeof id !== 'string') throw badCursor()
  return { at, id }
}

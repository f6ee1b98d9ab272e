import { paging, pageOf } from '../../../kernel/fields.ts'
import { filtered } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { badCursor, decodeCursor, encodeCursor } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { apiCall } from '../access.ts'
import { type CallPlace, callsIn, callsWithKeys } from './access-calls.ts'
import { callFilters, rangeFilters } from './filters.ts'
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
  on: { key: rangeFilters.on.key, ...callFilters.on },
  input: { ...callFilters.input, ...rangeFilters.input, ...paging },
  output: pageOf(ApiCall),
  async handle({ limit, cursor, ...filter }, ctx) {
    const start = cursor === undefined ? undefined : placeIn(cursor)
    const range = await filtered(ctx, callsWithKeys(ctx), rangeFilters, filter)
    const values = await callFilters.read(ctx, filter)
    const found = await gather(
      limit,
      start,
      ({ at, id }: Row<'calls'>): CallPlace => ({ at, id }),
      (beyond, length, rest) =>
        callsIn(range, (calls) => callFilters.apply(calls, values, ctx), {
          beyond,
          length,
          limit: rest,
        }),
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

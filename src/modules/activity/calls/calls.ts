import { paging, pageOf } from '../../../kernel/fields.ts'
import { applyFilters } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import type { Scoped } from '../../../records/resource.ts'
import { apiCall } from '../access.ts'
import { callsWithKeys } from './access-calls.ts'
import { callFilters, rangeFilters } from './filters.ts'
import { ApiCall, UndoResult } from '../shapes.ts'
import { presentCalls } from './presenter.ts'
import { callPlaceFromCursor, pageOfCalls } from './pages.ts'
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
    const start = callPlaceFromCursor('calls', cursor)
    const range = await applyFilters(ctx, callsWithKeys(ctx), rangeFilters, filter)
    const values = await callFilters.read(ctx, filter)
    const matching = (calls: Scoped<'calls'>) => callFilters.apply(calls, values, ctx)
    const { rows, ...page } = await pageOfCalls('calls', { limit, start }, { range, matching })
    return { items: await presentCalls(ctx, rows), ...page }
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

// The call log in the web app: people's own calls, and for administrators also metadata of others' calls.

import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { isAdmin } from '../../../kernel/actor.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { pageOf } from '../../../kernel/fields.ts'
import { isId } from '../../../kernel/ids.ts'
import { endpoint } from '../../../operations/endpoints/endpoint.ts'
import { denied, notFound } from '../../../kernel/refusal.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import type { FieldChange } from '../../../records/row-images.ts'
import { applyFilters } from '../../../operations/filters.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { type Ref, trustOf } from '../../../records/shapes.ts'
import { refsAnywhere } from '../../../records/item-refs.ts'
import { changesOfCall, originOf, undoneAmong } from './access-undo.ts'
import { keyNames } from '../access.ts'
import { loggedCall, loggedCalls, namesInLog } from './access.ts'
import { callFilters, logFilters, rangeFilters } from './filters.ts'
import { changeRefs } from '../changes/item-refs.ts'
import { nameFields } from '../changes/field-names.ts'
import { LoggedCall, LoggedCallDetails, LogNames } from './log-shapes.ts'
import { presentCalls } from './presenter.ts'
import { callPlaceFromCursor, pageOfCalls } from './pages.ts'

const logScope = z
  .enum(['me', 'organization'])
  .default('me')
  .describe('only administrators: `organization`')
const maxChanges = 200
const maxNameEntries = 5000

const timeFilters = rangeFilters.pick('after', 'before')
const basicFilters = callFilters.pick('tool', 'status', 'kind')

export const listCallLog = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/activity',
  name: 'list_call_log',
  about:
    "the call log, newest first, as in `list_api_calls`, with `actor` and `module`; other people's calls without `arguments`, `idempotency_key` and `undo`",
  input: {
    of: logScope,
    person_id: z.string().max(80).optional(),
    key_id: z.string().max(80).optional(),
    ...basicFilters.input,
    ...logFilters.input,
    ...timeFilters.input,
    limit: z.coerce.number().int().min(1).max(200).default(50),
    cursor: z.string().max(200).optional(),
  },
  output: pageOf(LoggedCall),
  handle: ({ of, person_id, key_id, limit, cursor, ...filter }, { read }) =>
    read(async (ctx) => {
      const scope = {
        isOrganizationWide: isOrganizationScope(ctx, of),
        personId: person_id,
        keyId: key_id,
      }
      const module = filter.tool === undefined ? filter.module : undefined
      const values = await basicFilters.read(ctx, filter)
      const logValues = await logFilters.read(ctx, { ...filter, module })
      const range = await applyFilters(ctx, loggedCalls(ctx, scope), timeFilters, filter)
      const start = callPlaceFromCursor('call_log', cursor)
      const matching = (calls: Scoped<'calls'>) =>
        logFilters.apply(basicFilters.apply(calls, values, ctx), logValues, ctx)
      const { rows, ...page } = await pageOfCalls('call_log', { limit, start }, { range, matching })
      return { items: await presentLogged(ctx, rows), ...page }
    }),
})

export const readLoggedCall = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/activity/calls/:id',
  name: 'get_logged_call',
  about:
    'one call; your own calls with `changes` (field by field), `changes_total`, `undid`; `undone_by`',
  output: LoggedCallDetails,
  handle: (_, { read, params: { id = '' } }) =>
    read(async (ctx) => {
      const row = isId('clg', id) ? await loggedCall(ctx, id) : undefined
      const [entry] = row ? await presentLogged(ctx, [row]) : []
      if (!row || !entry) throw notFound('call', 'id')
      const undoneBy = (await undoneAmong(ctx, [row.id])).get(row.id)
      return omitNullish({
        ...entry,
        undone_by: undoneBy,
        ...(row.actor_id === ctx.actor.id ? await ownDetails(ctx, row) : {}),
      })
    }),
})

export const listLogNames = endpoint({
  for: 'person',
  method: 'GET',
  path: '/web/activity/names',
  name: 'list_log_names',
  about:
    '`tools`, `modules`, `clients`, `keys` and `people` of the newest 5,000 entries, for filtering the log',
  input: { of: logScope },
  output: LogNames,
  handle: ({ of }, { read }) =>
    read(async (ctx) => {
      const rows = await namesInLog(ctx, isOrganizationScope(ctx, of), maxNameEntries)
      const keys = await keyNames(ctx, [...new Set(rows.flatMap((row) => row.key_id ?? []))])
      const people = await peopleRefs(
        ctx,
        rows.map((row) => row.actor_id),
      )
      const tools = [...new Set(rows.map((row) => row.tool))].sort()
      return {
        tools: tools.map((name) => ({ name, ...moduleOf(ctx, name) })),
        modules: [...ctx.catalogue.toolsets],
        clients: [
          ...new Set(rows.flatMap((row) => (row.key_id === null ? [] : (row.client ?? [])))),
        ].sort(), // without browsers
        keys: [...keys].map(([id, title]): Ref => ({ id, title })),
        people: [...people.values()],
      }
    }),
})

/** Log entries with their owners, and the items they trashed. Arguments and undo of others' calls are omitted. */
export async function presentLogged(ctx: ReadContext, rows: readonly Row<'calls'>[]) {
  const entries = await presentCalls(ctx, rows)
  const namedItems = rows.map((row) => JSON.parse(row.items_json) as { type: string; id: string }[])
  const refs = new Map(
    entries.flatMap((entry) => entry.items.map((item) => [item.id, item] as const)),
  )
  for (const [id, ref] of await refsAnywhere(
    ctx,
    namedItems.flat().filter((item) => !refs.has(item.id)),
    ctx.baseUrl,
  ))
    refs.set(id, ref)
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.actor_id),
  )
  return entries.map(({ arguments: args, undo, idempotency_key, ...entry }, i) => {
    const { actor_id, tool } = rows[i]!
    const privateFields =
      actor_id === ctx.actor.id ? omitNullish({ arguments: args, undo, idempotency_key }) : {}
    const items = namedItems[i]!.flatMap((item) => refs.get(item.id) ?? [])
    return {
      ...entry,
      items,
      ...privateFields,
      ...moduleOf(ctx, tool),
      actor: people.get(actor_id) ?? { id: actor_id, title: '' },
    }
  })
}

/** Field changes that the call made, and the call that it undid. */
async function ownDetails(ctx: ReadContext, row: Row<'calls'>) {
  const all = (await changesOfCall(ctx, row)).filter((change) => change.for_person_id === null)
  const changes = all.slice(0, maxChanges)
  const refs = await changeRefs(ctx, changes)
  const visible = changes.filter((change) => refs.has(change.seq))
  const fields = await nameFields(
    ctx,
    visible.map((item) => JSON.parse(item.fields_json) as FieldChange[]),
  )
  const undid =
    row.tool === 'undo_api_call' && row.status === 'ok' ? await originOf(ctx, row) : undefined
  return omitNullish({
    changes: visible.flatMap((change, i) => {
      const item = refs.get(change.seq)
      if (!item) return []
      const { changes: namedChanges, isExternal } = fields[i]!
      const trust = trustOf(isExternal || item.trust === 'external')
      return [{ op: change.op, item, fields: namedChanges, ...trust }]
    }),
    changes_total: all.length,
    undid: undid && undid.id !== row.id ? { id: undid.id, title: undid.tool } : undefined,
  })
}

function isOrganizationScope(ctx: ReadContext, scope: 'me' | 'organization'): boolean {
  if (scope === 'organization' && !isAdmin(ctx.actor))
    throw denied('Only administrators see the calls of others.')
  return scope === 'organization'
}

function moduleOf(ctx: ReadContext, tool: string): { module?: string } {
  const module = ctx.catalogue.find(tool)?.module
  return module === undefined ? {} : { module }
}

import { sql, type ExpressionBuilder, type Expression, type SqlBool } from 'kysely'
import { isAdmin } from '../../kernel/actor.ts'
import { itemsNow } from '../../operations/approvals/items.ts'
import type { ReadContext, WriteContext } from '../../operations/context.ts'
import { ExtensionPoint } from '../../records/extension-point.ts'
import type { Id } from '../../kernel/ids.ts'
import {
  itemResources,
  resource,
  type CoveredItem,
  type Resource,
  type ItemTable,
  type Row,
} from '../../records/resource.ts'
import { anyRows } from '../../records/row.ts'
import type { Image } from '../../records/rows.ts'
import type { Ref } from '../../records/shapes.ts'
import { sightOf, withTrash, type Viewer, type AccessScope } from '../../records/access-scope.ts'
import type { Tables } from '../../db/tables.ts'

/** The automations behind runs that made changes, by run: of those that the reader sees. The module of automations tells. */
export const automationsOfRuns = new ExtensionPoint<
  (ctx: ReadContext, runs: readonly string[]) => Promise<Map<string, Ref>>
>()

/** API keys: each person's own, to look at. `current` is the key of the call. */
export const apiKey = resource('api_keys', {
  type: 'api_key',
  prefix: 'key',
  see: (s) => s.all.selectFrom('api_keys').where('api_keys.owner_id', '=', s.actor.id),
  alias: (query, text, s) =>
    text === 'current' && s.actor.key ? query.where('api_keys.id', '=', s.actor.key.id) : undefined,
  names: { columns: ['name'] },
  takes: 'id, name or current',
  list: { tool: 'list_api_keys' },
  title: (row) => row.name,
  path: () => 'settings/integrations/api-keys',
})

/** The call log: each person's own calls. */
export const apiCall = resource('calls', {
  type: 'api_call',
  prefix: 'clg',
  see: (s) => s.all.selectFrom('calls').where('calls.actor_id', '=', s.actor.id),
  title: (row) => row.tool,
  path: (row) => `activity/calls/${row.id}`,
  approval: { ignore: true, covers: itemsOfCall },
})

/** Undoing a call that waits for approval stands for the items that it puts back. */
function itemsOfCall({ items_json }: Row<'calls'>, s: AccessScope): Promise<CoveredItem[]> {
  return itemsNow(
    s,
    (JSON.parse(items_json) as { id: string }[])
      .map((item) => item.id)
      .filter((id) => !id.startsWith('clg_')),
  )
}

/** Calls that wait or waited for a person: a key sees those that it asked for, a person who is signed in all of their own. */
export const approval = resource('approvals', {
  type: 'approval',
  prefix: 'apr',
  see: (s) => {
    const own = s.all.selectFrom('approvals').where('approvals.owner_id', '=', s.actor.id)
    return s.actor.key ? own.where('approvals.key_id', '=', s.actor.key.id) : own
  },
  title: (row) => row.tool,
  path: () => 'approvals',
})

/** Which changes are asked for; all of it is narrowed to what the reader may see besides. */
export interface ChangeFilter {
  itemId?: string | undefined
  projectId?: Id<'projects'> | undefined
  actorId?: Id<'users'> | undefined
  via?: readonly Row<'changes'>['via'][] | undefined
  types?: readonly string[] | undefined
  /** Item types, event names or verbs. */
  kinds?: readonly string[] | undefined
  after?: number | undefined
  before?: number | undefined
  /** Whether rows that tell one person of access gained or lost belong to it: the reader's own only. */
  access: boolean
}

/** A stretch of the change log: behind a place in a direction, so many rows at most. */
export interface SeqRange {
  beyond: number | undefined
  dir: 'asc' | 'desc'
  length: number
}

/**
 * The changes of one stretch that the reader may see, and where the stretch ended (undefined: the log ended first). Every
 * change is held against its item as it is now, in the trash or not: who lost sight of the item sees none of its history.
 */
export async function changesIn(
  from: Viewer,
  filter: ChangeFilter,
  stretch: SeqRange,
  limit: number,
): Promise<{ rows: Row<'changes'>[]; end: number | undefined }> {
  const s = withTrash(from)
  const inStretch = await narrowed(s, filter, stretch)
  const last = await inStretch
    .select('changes.seq')
    .orderBy('changes.seq', stretch.dir)
    .limit(1)
    .offset(stretch.length - 1)
    .executeTakeFirst()
  let found = inStretch.where((eb) => visible(s, eb, filter.access))
  if (last) found = found.where('changes.seq', stretch.dir === 'asc' ? '<=' : '>=', last.seq)
  const rows = await found
    .where((eb) => asked(eb, filter))
    .selectAll('changes')
    .orderBy('changes.seq', stretch.dir)
    .limit(limit)
    .execute()
  return { rows, end: last?.seq }
}

export function seqOf(row: Row<'changes'>): number {
  return row.seq
}

/** The place of the organization's newest change; 0 before the first. */
export async function newestSeq(from: Viewer): Promise<number> {
  const { all, actor } = sightOf(from)
  const row = await all
    .selectFrom('changes')
    .select('seq')
    .where('org_id', '=', actor.org_id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/**
 * What an index answers: one item's, project's or person's changes, else the organization's, and the bounds of seq and
 * time. Only the narrowest drives: the others are concatenated with nothing, which keeps SQLite from choosing their indexes.
 */
async function narrowed(s: AccessScope, filter: ChangeFilter, { beyond, dir }: SeqRange) {
  const given = [
    ['item_id', filter.itemId],
    ['project_id', filter.projectId],
    ['actor_id', filter.actorId],
    ['org_id', s.actor.org_id],
  ] as const
  const [[column, value], ...others] = given.filter(([, id]) => id !== undefined) as unknown as [
    [string, string],
    ...[string, string][],
  ]
  let found = s.all.selectFrom('changes').where(sql.ref(`changes.${column}`), '=', value)
  for (const [name, id] of others)
    found = found.where(sql<string>`${sql.ref(`changes.${name}`)} || ''`, '=', id)
  if (beyond !== undefined) found = found.where('changes.seq', dir === 'asc' ? '>' : '<', beyond)
  if (filter.after !== undefined)
    found = found.where(
      'changes.seq',
      '>=',
      (await firstSince(s, filter.after)) ?? Number.MAX_SAFE_INTEGER,
    )
  const end = filter.before === undefined ? undefined : await firstSince(s, filter.before + 1)
  return end === undefined ? found : found.where('changes.seq', '<', end)
}

async function firstSince(s: AccessScope, at: number): Promise<number | undefined> {
  const row = await s.all
    .selectFrom('changes')
    .select('seq')
    .where('org_id', '=', s.actor.org_id)
    .where('at', '>=', at)
    .orderBy('at')
    .orderBy('seq')
    .limit(1)
    .executeTakeFirst()
  return row?.seq
}

type Changes = ExpressionBuilder<Tables, 'changes'>

function asked(eb: Changes, { via, types, kinds }: ChangeFilter): Expression<SqlBool> {
  return eb.and([
    ...(via ? [eb('changes.via', 'in', via)] : []),
    ...(types ? [eb('changes.item_type', 'in', types)] : []),
    ...(kinds ? [eb.or([eb('changes.item_type', 'in', kinds), ...kinds.map(named)])] : []),
  ])
}

/** Whether an event of the change has this name (`task.completed`) or verb (`completed`). */
function named(kind: string): Expression<SqlBool> {
  const name = kind.replaceAll('_', '\\_')
  const pattern = kind.includes('.') ? `%"${name}"%` : `%.${name}"%`
  return sql<SqlBool>`changes.events_json like ${pattern} escape '\\'`
}

/** Looked up row by row, kind by kind; the first condition of each spares the others their lookups. */
function visible(s: AccessScope, eb: Changes, access: boolean): Expression<SqlBool> {
  const items = itemResources().map((itemResource) =>
    eb.and([
      eb('changes.item_type', '=', itemResource.definition.type),
      itemResource.holds(s, 'changes.item_id'),
    ]),
  )
  const own = eb.and([
    eb('changes.for_person_id', '=', s.actor.id),
    eb.or([eb('changes.op', 'in', ['access_gained', 'access_lost']), ...items]),
  ])
  return eb.or([
    eb.and([eb('changes.for_person_id', 'is', null), eb.or([...items, ...goneItems(s, eb)])]),
    ...(access ? [own] : []),
  ])
}

/** Items that never were in the trash, erased since: their project tells who may know of it, or their own rule. */
function goneItems(s: AccessScope, eb: Changes): Expression<SqlBool>[] {
  const byRule = itemResources().flatMap(({ definition: { type, tombstoneVisibleTo: goneFor } }) =>
    goneFor
      ? [
          eb.and([
            eb('changes.item_type', '=', type),
            eb('changes.op', '=', 'deleted'),
            goneFor(s, 'changes.item_id'),
          ]),
        ]
      : [],
  )
  const project = itemResources().find((itemResource) => itemResource.table === 'projects')
  if (!project) return byRule
  const byProject = itemResources()
    .filter((itemResource) => !itemResource.trashable && itemResource.definition.project)
    .map((itemResource) =>
      eb.and([
        eb('changes.item_type', '=', itemResource.definition.type),
        eb('changes.op', '=', 'deleted'),
        project.holds(s, 'changes.project_id'),
        sql<SqlBool>`not exists (select 1 from ${sql.table(itemResource.table)} as gone where gone.id = changes.item_id)`,
      ]),
    )
  return [...byRule, ...byProject]
}

/** Names of keys: of the actor's own, and for an administrator of everybody's in the organization. */
export async function keyNames(from: Viewer, ids: readonly string[]): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const s = sightOf(from)
  let keys = s.all
    .selectFrom('api_keys')
    .select(['id', 'name'])
    .where('id', 'in', ids as Id<'api_keys'>[])
    .where('org_id', '=', s.actor.org_id)
  if (!isAdmin(s.actor)) keys = keys.where('owner_id', '=', s.actor.id)
  return new Map((await keys.execute()).map((row) => [row.id, row.name]))
}

/** A row in the trash, of whatever table. */
export type Trashed = Record<string, unknown> & {
  id: string
  deleted_at: number
  deleted_by: string | null
  deleted_with: string | null
}

/** Items of one resource that the actor may take out of the trash, newest first; not what merely went along with another one. */
export async function trashedIn(
  from: Viewer,
  of: Resource<ItemTable>,
  {
    by,
    since,
    place,
    limit,
  }: {
    by?: string | undefined
    since?: number | undefined
    place?: { at: number; id: string } | undefined
    limit: number
  },
): Promise<Trashed[]> {
  const column = (name: string) => sql.ref(`${of.table}.${name}`)
  let found = anyRows(of.restorable(from))
    .selectAll(of.table as 'tasks')
    .where(column('org_id'), '=', sightOf(from).actor.org_id)
    .where(column('deleted_with'), '=', column('id'))
  if (by !== undefined) found = found.where(column('deleted_by'), '=', by)
  if (since !== undefined) found = found.where(column('deleted_at'), '>=', since)
  if (place)
    found = found.where(
      sql<SqlBool>`(${column('deleted_at')}, ${column('id')}) < (${place.at}, ${place.id})`,
    )
  return (await found
    .orderBy(column('deleted_at'), 'desc')
    .orderBy(column('id'), 'desc')
    .limit(limit)
    .execute()) as unknown as Trashed[]
}

/** What comes back with an item, by type: what went into the trash along with it, and what its kind restores besides. */
export async function lyingWith(
  from: Viewer,
  of: Resource<ItemTable>,
  id: string,
): Promise<{ type: string; count: number }[]> {
  const seen = anyRows(of.visibleTo(withTrash(from))) // some of a tree of pages may belong to others
  const column = (name: string) => sql.ref(`${of.table}.${name}`)
  const along = await seen
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where(column('deleted_with'), '=', id)
    .where(column('deleted_at'), 'is not', null)
    .where(column('id'), '<>', id)
    .executeTakeFirst()
  const others = (await of.definition.restoredWith?.(id, sightOf(from))) ?? []
  return [...(along ? [{ type: of.definition.type, count: along.count }] : []), ...others].filter(
    (item) => item.count > 0,
  )
}

/** Whether what an item belongs to lies in the trash. */
export async function isTrashed(
  from: Viewer,
  table: 'projects' | 'tasks',
  id: string,
): Promise<boolean> {
  const row = await sightOf(from)
    .all.selectFrom(table as 'tasks')
    .select('id')
    .where('id', '=', id as Id<'tasks'>)
    .where('deleted_at', 'is not', null)
    .executeTakeFirst()
  return row !== undefined
}

/** Of these calls, those that were undone, and by which call. */
export async function undoneAmong(
  from: Viewer,
  ids: readonly string[],
): Promise<Map<string, string>> {
  if (ids.length === 0) return new Map()
  const s = sightOf(from)
  const rows = await s.all
    .selectFrom('undone_calls')
    .select(['call_id', 'undone_by_call_id'])
    .where('call_id', 'in', [...ids])
    .where('org_id', '=', s.actor.org_id)
    .execute()
  return new Map(rows.map((row) => [row.call_id, row.undone_by_call_id]))
}

/** The call that an undo goes back to, through whatever undid what: the operation whose changes are at stake. */
export async function originOf(from: Viewer, call: Row<'calls'>): Promise<Row<'calls'>> {
  let origin = call
  while (origin.tool === 'undo_api_call') {
    const named = (JSON.parse(origin.items_json) as { type: string; id: string }[]).find(
      (item) => item.type === 'api_call',
    )
    const earlier = named && (await apiCall.find(from, named.id))
    if (!earlier) break
    origin = earlier
  }
  return origin
}

/** All that one call of the actor's own changed, in the order in which it did. */
export async function changesOfCall(from: Viewer, call: Row<'calls'>): Promise<Row<'changes'>[]> {
  const s = sightOf(from)
  return s.all
    .selectFrom('changes')
    .selectAll()
    .where('call_id', '=', call.id)
    .where('actor_id', '=', s.actor.id)
    .orderBy('seq')
    .execute()
}

/** Whether an item, or anything in it where it is a project, changed after a change, other than by the call of that change. */
export async function changedSince(from: Viewer, change: Row<'changes'>): Promise<boolean> {
  const { all } = sightOf(from)
  const later = all
    .selectFrom('changes')
    .select('seq')
    .where('seq', '>', change.seq)
    .where('call_id', '<>', change.call_id)
    .where('for_person_id', 'is', null)
    .limit(1)
  const own = await later.where('item_id', '=', change.item_id).executeTakeFirst()
  return Boolean(
    own ??
      (change.item_type === 'project' &&
        (await later
          .where('project_id', '=', change.item_id as Id<'projects'>)
          .executeTakeFirst())),
  )
}

/** The row of an image as it is now, or undefined where there is none. Undo alone asks, after it has checked the item. */
export async function rowOf(
  ctx: WriteContext,
  { table, key }: Pick<Image, 'table' | 'key'>,
): Promise<Record<string, unknown> | undefined> {
  let found = sightOf(ctx)
    .all.selectFrom(table as 'tasks')
    .selectAll()
  for (const [column, value] of Object.entries(key))
    found = found.where(column as 'id', '=', value as Id<'tasks'>)
  return found.executeTakeFirst()
}

/** Keeps that a call was undone by this one; where the undone call was an undo itself, what it had undone stands again. */
export async function markUndone(ctx: WriteContext, callId: string): Promise<void> {
  const { all, actor, now } = sightOf(ctx)
  await all.deleteFrom('undone_calls').where('undone_by_call_id', '=', callId).execute()
  await all
    .insertInto('undone_calls')
    .values({
      call_id: callId,
      org_id: actor.org_id,
      undone_by_call_id: ctx.callId,
      undone_at: now,
    })
    .execute()
}

export interface CallFilter {
  keyId?: Id<'api_keys'> | undefined
  tool?: string | undefined
  status?: Row<'calls'>['status'] | undefined
  kind?: Row<'calls'>['kind'] | undefined
  itemId?: string | undefined
  after?: number | undefined
  before?: number | undefined
}

export interface CallPlace {
  at: number
  id: string
}

/** One stretch of the actor's calls with keys, newest first: those asked for, and where the stretch ended (undefined: there are no more). */
export async function callsIn(
  from: Viewer,
  filter: CallFilter,
  beyond: CallPlace | undefined,
  length: number,
  limit: number,
): Promise<{ rows: Row<'calls'>[]; end: CallPlace | undefined }> {
  let all = apiCall.visibleTo(from).where('calls.key_id', 'is not', null)
  if (filter.keyId !== undefined) all = all.where('calls.key_id', '=', filter.keyId)
  if (filter.after !== undefined) all = all.where('calls.at', '>=', filter.after)
  if (filter.before !== undefined) all = all.where('calls.at', '<=', filter.before)
  if (beyond) all = all.where(sql<SqlBool>`(calls.at, calls.id) < (${beyond.at}, ${beyond.id})`)
  const end = await all
    .select(['calls.at', 'calls.id'])
    .orderBy('calls.at', 'desc')
    .orderBy('calls.id', 'desc')
    .limit(1)
    .offset(length - 1)
    .executeTakeFirst()
  let found = end ? all.where(sql<SqlBool>`(calls.at, calls.id) >= (${end.at}, ${end.id})`) : all
  if (filter.tool !== undefined) found = found.where('calls.tool', '=', filter.tool)
  if (filter.status !== undefined) found = found.where('calls.status', '=', filter.status)
  if (filter.kind !== undefined) found = found.where('calls.kind', '=', filter.kind)
  if (filter.itemId !== undefined)
    found = found.where(sql<SqlBool>`calls.items_json like ${`%"${filter.itemId}"%`}`)
  return {
    rows: await found
      .selectAll('calls')
      .orderBy('calls.at', 'desc')
      .orderBy('calls.id', 'desc')
      .limit(limit)
      .execute(),
    end,
  }
}

/** Whose entries of the call log: the actor's own, or for an administrator those of the organization. */
function logOf(from: Viewer, isOfAll: boolean) {
  const { all, actor } = sightOf(from)
  return isOfAll && isAdmin(actor)
    ? all.selectFrom('calls').where('calls.org_id', '=', actor.org_id)
    : apiCall.visibleTo(from).where('calls.org_id', '=', actor.org_id)
}

/** The place of a call in the log of its organization; undefined where the reader knows no such call. */
export async function seqOfCall(
  from: Viewer,
  isOfAll: boolean,
  id: string,
): Promise<number | undefined> {
  return (
    await logOf(from, isOfAll)
      .select('calls.seq')
      .where('calls.id', '=', id as Id<'calls'>)
      .executeTakeFirst()
  )?.seq
}

/** The place of the newest call of the organization; 0 before the first. */
export async function newestCallSeq(from: Viewer): Promise<number> {
  const { all, actor } = sightOf(from)
  const row = await all
    .selectFrom('calls')
    .select('seq')
    .where('org_id', '=', actor.org_id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/** The next calls behind a place up to another one, in the order of the log. */
export async function callsBehind(
  from: Viewer,
  of: { isOfAll: boolean; keyId: string | undefined },
  seq: { from: number; to: number },
  limit: number,
): Promise<Row<'calls'>[]> {
  let found = logOf(from, of.isOfAll)
    .where('calls.seq', '>', seq.from)
    .where('calls.seq', '<=', seq.to)
  if (of.keyId !== undefined) found = found.where(sql<SqlBool>`calls.key_id || '' = ${of.keyId}`) // the place in the log drives, not the index of keys
  return found.selectAll('calls').orderBy('calls.seq').limit(limit).execute()
}

/** What the rules against abuse found about own keys since a moment, and what holds them still; by key, the newest first. */
export async function findingsOf(
  from: Viewer,
  keys: readonly Row<'api_keys'>[],
  since: number,
): Promise<Map<string, Row<'abuse_findings'>[]>> {
  if (keys.length === 0) return new Map()
  const { all, actor } = sightOf(from)
  const rows = await all
    .selectFrom('abuse_findings')
    .selectAll()
    .where('owner_id', '=', actor.id)
    .where(
      'key_id',
      'in',
      keys.map((key) => key.id),
    )
    .where((eb) =>
      eb.or([
        eb('last_at', '>=', since),
        eb.and([
          eb('hold', '<>', 'none'),
          eb('until_at', 'is', null),
          eb('released_at', 'is', null),
        ]),
      ]),
    )
    .orderBy('first_at', 'desc')
    .limit(200)
    .execute()
  return Map.groupBy(rows, (row) => row.key_id!)
}

/** Calls of one key since a moment. */
export async function countCalls(
  from: Viewer,
  key: Row<'api_keys'>,
  since: number,
): Promise<number> {
  const row = await sightOf(from)
    .all.selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('key_id', '=', key.id)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return row.count
}

export interface CallTally {
  /** The tool, the quarter of an hour in which it was called (counted since 1970), or the status. */
  group: string | number
  status: Row<'calls'>['status']
  /** Duration in whole milliseconds. */
  ms: number
  count: number
}

/** Calls of one key in a time, counted by group, status and duration: little, however many calls there were. */
export async function tallyCalls(
  from: Viewer,
  key: Row<'api_keys'>,
  time: { from: number; to: number },
  by: 'tool' | 'quarter' | 'status',
): Promise<CallTally[]> {
  const group =
    by === 'quarter'
      ? sql<string | number>`calls.at / 900000`
      : sql<string | number>`${sql.ref(`calls.${by}`)}`
  return sightOf(from)
    .all.selectFrom('calls')
    .where('calls.key_id', '=', key.id)
    .where('calls.at', '>=', time.from)
    .where('calls.at', '<=', time.to)
    .select((eb) => [
      group.as('group'),
      'calls.status',
      sql<number>`(calls.duration_us + 500) / 1000`.as('ms'),
      eb.fn.countAll<number>().as('count'),
    ])
    .groupBy([sql`1`, 'calls.status', sql`3`])
    .execute()
}

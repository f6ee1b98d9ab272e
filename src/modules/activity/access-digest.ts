import type { Id } from '../../kernel/ids.ts'
import { sql, type SqlBool } from 'kysely'
import { itemResources, resourceOf, type ItemRef } from '../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../records/access-scope.ts'

/** One change in a digest. */
export interface DigestChange {
  at: number
  actor_id: string
  via: string
  op: string
  events_json: string
  item_type: string
  item_id: string
}

/** Maximum changes of a period that a digest reads, newest first. */
const maxChanges = 2000
/** Maximum items of one type that are loaded to choose those that the digest names. */
const maxItems = 100

/**
 * Changes by other people, and by the caller's own assistants and automations, to items of these types; for tasks
 * only those that the caller is assigned to, watches or created. Newest first. Excludes changes that the caller made
 * in person or with the key of the call.
 */
export async function digestChanges(
  viewer: Viewer,
  { types, since, until }: { types: readonly string[]; since: number; until: number },
): Promise<{ rows: DigestChange[]; isCut: boolean }> {
  const { all, actor } = accessScopeOf(viewer)
  const recent = all
    .selectFrom('changes')
    .select([
      'at',
      'actor_id',
      'key_id',
      'via',
      'op',
      'events_json',
      'item_type',
      'item_id',
      'for_person_id',
    ])
    .where('org_id', '=', actor.org_id)
    .where('at', '>=', since)
    .where('at', '<', until)
    .orderBy('at', 'desc')
    .limit(maxChanges)
  const isOwn = actor.key
    ? sql<SqlBool>`(r.via = 'web' or r.key_id = ${actor.key.id})`
    : sql<SqlBool>`r.via = 'web'`
  const isFollowed = sql<SqlBool>`(r.item_type <> 'task'
    or exists (select 1 from task_people as p where p.task_id = r.item_id and p.person_id = ${actor.id})
    or exists (select 1 from tasks as t where t.id = r.item_id and t.created_by = ${actor.id}))`
  const groupedQuery = all
    .selectFrom(recent.as('r'))
    .select(['r.actor_id', 'r.via', 'r.op', 'r.events_json', 'r.item_type', 'r.item_id'])
    .select((eb) => eb.fn.max('r.at').as('at'))
    .where('r.item_type', 'in', types)
    .where('r.for_person_id', 'is', null)
    .where((eb) => eb.not(eb.and([eb('r.actor_id', '=', actor.id), isOwn])))
    .groupBy(['r.item_id', 'r.item_type', 'r.actor_id', 'r.via', 'r.op', 'r.events_json'])
  const followed = await all
    .selectFrom(groupedQuery.as('r'))
    .selectAll('r')
    .where(isFollowed)
    .execute()
  const rows = followed.map((row) => ({ ...row, at: Number(row.at) }))
  const firstBeyondLimit = await all
    .selectFrom('changes')
    .select('at')
    .where('org_id', '=', actor.org_id)
    .where('at', '>=', since)
    .where('at', '<', until)
    .orderBy('at', 'desc')
    .offset(maxChanges)
    .limit(1)
    .executeTakeFirst()
  return { rows: rows.toSorted((a, b) => b.at - a.at), isCut: firstBeyondLimit !== undefined }
}

/** References to the items of changes that are visible to the caller and not in the trash. */
export async function digestItemRefs(
  reader: Viewer,
  rows: readonly DigestChange[],
  baseUrl: string,
): Promise<{ refs: Map<string, ItemRef>; isCut: boolean }> {
  const refs = new Map<string, ItemRef>()
  let isCut = false
  for (const [type, changesOfType] of Map.groupBy(rows, (row) => row.item_type)) {
    const itemResource = itemResources().find((candidate) => candidate.definition.type === type)
    if (!itemResource) continue
    const resource = resourceOf(itemResource.table)
    const ids = [...new Set(changesOfType.map((row) => row.item_id))]
    isCut ||= ids.length > maxItems
    const rowsById = await resource.among(reader, ids.slice(0, maxItems))
    for (const [id, row] of rowsById) refs.set(id, resource.ref(row, baseUrl))
  }
  return { refs, isCut }
}

/** Calls searched for the last pause. */
const maxCalls = 1000
const pauseLength = 4 * 3_600_000
const maxLookback = 30 * 86_400_000

/**
 * The caller's last activity before a pause: the last call before a gap of four hours, by the person in the web app
 * or the call's key. Undefined if there was no such gap in 30 days.
 */
export async function lastActiveAt(viewer: Viewer): Promise<number | undefined> {
  const { all, actor, now } = accessScopeOf(viewer)
  const key = actor.key?.id ?? null
  const rows = await all
    .selectFrom('calls')
    .select('at')
    .where('actor_id', '=', actor.id)
    .where('at', '>', now - maxLookback)
    .where((eb) =>
      eb.or([eb('transport', '=', 'web'), eb('key_id', '=', key as Id<'api_keys'> | null)]),
    )
    .orderBy('at', 'desc')
    .limit(maxCalls)
    .execute()
  let later = now
  for (const { at } of rows) {
    if (later - at >= pauseLength) return at
    later = at
  }
  return undefined
}

/** Calls awaiting the caller's decision. */
export async function approvalsWaiting(
  reader: Viewer,
  limit: number,
): Promise<{ count: number; newest: { id: string; tool: string; created_at: number }[] }> {
  const { all, actor, now } = accessScopeOf(reader)
  const waiting = all
    .selectFrom('approvals')
    .where('owner_id', '=', actor.id)
    .where('state', '=', 'pending')
    .where('expires_at', '>', now)
  const { count } = await waiting
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  const newest =
    count === 0
      ? []
      : await waiting
          .select(['id', 'tool', 'created_at'])
          .orderBy('id', 'desc')
          .limit(limit)
          .execute()
  return { count: Number(count), newest }
}

import { type SqlBool, sql } from 'kysely'
import { isAdmin } from '../../../kernel/actor.ts'
import type { Id } from '../../../kernel/ids.ts'
import { type Viewer, accessScopeOf } from '../../../records/access-scope.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { apiCall } from '../access.ts'

export interface CallPlace {
  at: number
  id: string
}

export interface CallBatch {
  /** The last call read; undefined to start at the newest. */
  after: CallPlace | undefined
  /** Number of calls in the range that are examined. */
  length: number
  /** Maximum number of matching calls to read. */
  limit: number
}

/** A batch of calls, newest first: the matches, and where the batch ended (undefined: no more). */
export async function callsIn(
  range: Scoped<'calls'>,
  matching: (calls: Scoped<'calls'>) => Scoped<'calls'>,
  { after, length, limit }: CallBatch,
): Promise<{ rows: Row<'calls'>[]; end: CallPlace | undefined }> {
  const all = after
    ? range.where(sql<SqlBool>`(calls.at, calls.id) < (${after.at}, ${after.id})`)
    : range
  const end = await all
    .select(['calls.at', 'calls.id'])
    .orderBy('calls.at', 'desc')
    .orderBy('calls.id', 'desc')
    .limit(1)
    .offset(length - 1)
    .executeTakeFirst()
  const batch = end ? all.where(sql<SqlBool>`(calls.at, calls.id) >= (${end.at}, ${end.id})`) : all
  return {
    rows: await matching(batch)
      .selectAll('calls')
      .orderBy('calls.at', 'desc')
      .orderBy('calls.id', 'desc')
      .limit(limit)
      .execute(),
    end,
  }
}

/** The calls that a person made with keys. */
export function callsWithKeys(viewer: Viewer): Scoped<'calls'> {
  return apiCall.visibleTo(viewer).where('calls.key_id', 'is not', null)
}

/** Entries of the call log: the actor's own, or for an administrator those of the organization. */
function logOf(reader: Viewer, isOrganizationWide: boolean) {
  const { all, actor } = accessScopeOf(reader)
  return isOrganizationWide && isAdmin(actor)
    ? all.selectFrom('calls').where('calls.org_id', '=', actor.org_id)
    : apiCall.visibleTo(reader).where('calls.org_id', '=', actor.org_id)
}

/** Position of a call in its organization's log; undefined if the reader does not know it. */
export async function seqOfCall(
  viewer: Viewer,
  isOrganizationWide: boolean,
  id: string,
): Promise<number | undefined> {
  return (
    await logOf(viewer, isOrganizationWide)
      .select('calls.seq')
      .where('calls.id', '=', id as Id<'calls'>)
      .executeTakeFirst()
  )?.seq
}

/** Position of the organization's newest call; 0 before the first. */
export async function newestCallSeq(reader: Viewer): Promise<number> {
  const { all, actor } = accessScopeOf(reader)
  const row = await all
    .selectFrom('calls')
    .select('seq')
    .where('org_id', '=', actor.org_id)
    .orderBy('seq', 'desc')
    .limit(1)
    .executeTakeFirst()
  return row?.seq ?? 0
}

/** The next calls between two positions, in log order. */
export async function callsBetween(
  viewer: Viewer,
  scope: { isOrganizationWide: boolean; keyId: string | undefined },
  seq: { from: number; to: number },
  limit: number,
): Promise<Row<'calls'>[]> {
  let query = logOf(viewer, scope.isOrganizationWide)
    .where('calls.seq', '>', seq.from)
    .where('calls.seq', '<=', seq.to)
  if (scope.keyId !== undefined)
    query = query.where(sql<SqlBool>`calls.key_id || '' = ${scope.keyId}`) // not driven by the index of keys
  return query.selectAll('calls').orderBy('calls.seq').limit(limit).execute()
}

/** Abuse findings about own keys since the given time, with those still in force; by key, newest first. */
export async function findingsOf(
  reader: Viewer,
  keys: readonly Row<'api_keys'>[],
  since: number,
): Promise<Map<string, Row<'abuse_findings'>[]>> {
  if (keys.length === 0) return new Map()
  const { all, actor } = accessScopeOf(reader)
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
  viewer: Viewer,
  key: Row<'api_keys'>,
  since: number,
): Promise<number> {
  const row = await accessScopeOf(viewer)
    .all.selectFrom('calls')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('key_id', '=', key.id)
    .where('at', '>=', since)
    .executeTakeFirstOrThrow()
  return row.count
}

export interface CallTally {
  /** The tool, the quarter-hour of the call (counted since 1970), or the status. */
  group: string | number
  status: Row<'calls'>['status']
  /** Duration in whole milliseconds. */
  ms: number
  count: number
}

/** Calls of one key in a period, counted by group, status and duration: few rows, however many calls. */
export async function tallyCalls(
  viewer: Viewer,
  key: Row<'api_keys'>,
  time: { from: number; to: number },
  by: 'tool' | 'quarter' | 'status',
): Promise<CallTally[]> {
  const group =
    by === 'quarter'
      ? sql<string | number>`calls.at / 900000`
      : sql<string | number>`${sql.ref(`calls.${by}`)}`
  return accessScopeOf(viewer)
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

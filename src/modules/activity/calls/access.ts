import { sql, type SqlBool } from 'kysely'
import { escapeLike } from '../../../db/like.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { sightOf, type Viewer } from '../../../records/access-scope.ts'
import type { CallPlace } from './access-calls.ts'

/** Who made a call: a key (whatever way it came), or one transport. */
export const sources = ['keys', 'mcp', 'rest', 'web', 'cli', 'automation', 'all'] as const

/** Which entries of the call log a person looks for. */
export interface LogFilter {
  /** Those of the whole organization, for administrators; otherwise the reader's own. */
  isOfAll: boolean
  source: (typeof sources)[number]
  personId?: string | undefined
  keyId?: string | undefined
  tools?: readonly string[] | undefined
  client?: string | undefined
  status?: Row<'calls'>['status'] | undefined
  kind?: Row<'calls'>['kind'] | undefined
  text?: string | undefined
  after?: number | undefined
  before?: number | undefined
}

const clientName = sql<string | null>`calls.details_json -> 'client' ->> 'name'`

/** One stretch of the log, newest first: the entries asked for, and where the stretch ended (undefined: there are no more). */
export async function logIn(
  from: Viewer,
  filter: LogFilter,
  beyond: CallPlace | undefined,
  length: number,
  limit: number,
): Promise<{ rows: Row<'calls'>[]; end: CallPlace | undefined }> {
  let all = scoped(from, filter)
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
  const { source, tools, client, status, kind, text } = filter
  if (source === 'keys') found = found.where('calls.key_id', 'is not', null)
  else if (source !== 'all') found = found.where('calls.transport', '=', source)
  if (tools) found = found.where('calls.tool', 'in', tools)
  if (client !== undefined) found = found.where(clientName, '=', client)
  if (status !== undefined) found = found.where('calls.status', '=', status)
  if (kind !== undefined) found = found.where('calls.kind', '=', kind)
  if (text !== undefined) found = found.where(holding(sightOf(from).actor.id, text))
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

/** One entry that the reader may see: an own one, for an administrator any of the organization. */
export function loggedCall(from: Viewer, id: string): Promise<Row<'calls'> | undefined> {
  const { actor } = sightOf(from)
  return scoped(from, { isOfAll: isAdmin(actor) })
    .selectAll('calls')
    .where('calls.id', '=', id as Id<'calls'>)
    .executeTakeFirst()
}

/** Who and what stands in the newest entries: what one can narrow the log to. */
export function namesInLog(
  from: Viewer,
  isOfAll: boolean,
  newest: number,
): Promise<{ tool: string; key_id: string | null; actor_id: string; client: string | null }[]> {
  const some = scoped(from, { isOfAll })
    .select(['calls.tool', 'calls.key_id', 'calls.actor_id', clientName.as('client')])
    .orderBy('calls.at', 'desc')
    .limit(newest)
  return sightOf(from).all.selectFrom(some.as('newest')).selectAll().distinct().execute()
}

/**
 * Only the narrowest of key, person and organization drives: the others are concatenated with nothing, which keeps SQLite from
 * choosing their indexes.
 */
function scoped(
  from: Viewer,
  { isOfAll, keyId, personId }: Pick<LogFilter, 'isOfAll' | 'keyId' | 'personId'>,
) {
  const { all, actor } = sightOf(from)
  const own = isOfAll && isAdmin(actor) ? undefined : actor.id
  const given = [
    ['key_id', keyId],
    ['actor_id', personId],
    ['actor_id', own],
    ['org_id', actor.org_id],
  ] as const
  const [[column, value], ...others] = given.filter(([, id]) => id !== undefined) as unknown as [
    [string, string],
    ...[string, string][],
  ]
  let found = all.selectFrom('calls').where(sql.ref(`calls.${column}`), '=', value)
  for (const [name, id] of others)
    found = found.where(sql<string>`${sql.ref(`calls.${name}`)} || ''`, '=', id)
  return found
}

/** What others gave to their calls is not for administrators, and cannot be searched by them either. */
function holding(me: string, text: string) {
  const pattern = `%${escapeLike(text)}%`
  return sql<SqlBool>`(calls.tool like ${pattern} escape '\\' or calls.error_code like ${pattern} escape '\\' or ${clientName} like ${pattern} escape '\\'
    or (calls.actor_id || '' = ${me} and (calls.details_json ->> 'arguments') like ${pattern} escape '\\'))`
}

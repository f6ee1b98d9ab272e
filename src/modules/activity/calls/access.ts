import { sql, type Expression, type SqlBool } from 'kysely'
import { escapeLike } from '../../../db/text-conditions.ts'
import { isAdmin } from '../../../kernel/actor.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

/** Scope for reading calls. */
export interface LogScope {
  /** True to read the calls of the whole organization, for administrators; otherwise only the reader's own. */
  isOrganizationWide: boolean
  personId?: string | undefined
  keyId?: string | undefined
}

/** The program that made a call, as it names itself. */
export const clientName = sql<string | null>`calls.details_json -> 'client' ->> 'name'`

/** An entry visible to the reader: their own, for an administrator any of the organization. */
export function loggedCall(viewer: Viewer, id: string): Promise<Row<'calls'> | undefined> {
  const { actor } = accessScopeOf(viewer)
  return loggedCalls(viewer, { isOrganizationWide: isAdmin(actor) })
    .selectAll('calls')
    .where('calls.id', '=', id as Id<'calls'>)
    .executeTakeFirst()
}

/** Tools, keys, people and clients in the newest entries, as filter values for the log. */
export function namesInLog(
  reader: Viewer,
  isOrganizationWide: boolean,
  newest: number,
): Promise<{ tool: string; key_id: string | null; actor_id: string; client: string | null }[]> {
  const newestCalls = loggedCalls(reader, { isOrganizationWide })
    .select(['calls.tool', 'calls.key_id', 'calls.actor_id', clientName.as('client')])
    .orderBy('calls.at', 'desc')
    .limit(newest)
  return accessScopeOf(reader)
    .all.selectFrom(newestCalls.as('newest'))
    .selectAll()
    .distinct()
    .execute()
}

/**
 * The calls of a person, a key or the organization, as far as visible to the reader.
 * Only the narrowest of key, person and organization uses an index: the others are concatenated with an empty string,
 * which keeps SQLite from choosing their indexes.
 */
export function loggedCalls(
  viewer: Viewer,
  { isOrganizationWide, keyId, personId }: LogScope,
): Scoped<'calls'> {
  const { all, actor } = accessScopeOf(viewer)
  const ownerId = isOrganizationWide && isAdmin(actor) ? undefined : actor.id
  const idFilters = [
    ['key_id', keyId],
    ['actor_id', personId],
    ['actor_id', ownerId],
    ['org_id', actor.org_id],
  ] as const
  const [[column, value], ...others] = idFilters.filter(([, id]) => id !== undefined) as [
    [string, string],
    ...[string, string][],
  ]
  let query = all.selectFrom('calls').where(sql.ref(`calls.${column}`), '=', value)
  for (const [name, id] of others)
    query = query.where(sql<string>`${sql.ref(`calls.${name}`)} || ''`, '=', id)
  return query
}

/** Whether an entry contains a text. Administrators neither see nor search the arguments of other people's calls. */
export function hasText(reader: Viewer, text: string): Expression<SqlBool> {
  const me = accessScopeOf(reader).actor.id
  const pattern = `%${escapeLike(text)}%`
  return sql<SqlBool>`(calls.tool like ${pattern} escape '\\' or calls.error_code like ${pattern} escape '\\' or ${clientName} like ${pattern} escape '\\'
    or (calls.actor_id || '' = ${me} and (calls.details_json ->> 'arguments') like ${pattern} escape '\\'))`
}

/** Whether a call read or changed an item. */
export function touchesItem(id: string): Expression<SqlBool> {
  return sql<SqlBool>`calls.items_json like ${`%"${id}"%`}`
}

/** Whether a call changed something in this automation run. */
export function isOfRun(runId: string): Expression<SqlBool> {
  return sql<SqlBool>`exists (select 1 from changes where changes.call_id = calls.id and changes.run_id = ${runId})`
}

import { sql } from 'kysely'
import type { Searchable } from '../../../operations/search/searchable.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { anyRows } from '../../../records/row.ts'

/** Number of indexed items of a kind that the caller sees. */
export interface IndexStatus {
  source: string
  indexed: number
  /** Items without vectors yet. */
  pending: number
  last_indexed_at: number | null
}

export async function indexStatusOf(
  viewer: Viewer,
  { source, kind, resource }: Searchable,
): Promise<IndexStatus> {
  const { all } = accessScopeOf(viewer)
  const visibleRows = anyRows(resource.visibleTo(viewer))
  const firstPending = await all
    .selectFrom('search_todo')
    .select('doc')
    .where('provider', '=', 'embedded')
    .limit(1)
    .executeTakeFirst()
  const pendingRows = visibleRows.where(
    sql<boolean>`${sql.ref(`${resource.table}.id`)} in (select d.item_id from search_todo as t join search_docs as d on d.rowid_ = t.doc where t.provider = 'embedded' and d.item_type = ${kind})`,
  )
  const { rows } = await sql<{
    total: number
    last: number | null
  }>`select count(*) as total, max(at) as last from (${visibleRows.select(sql`${sql.ref(`${resource.table}.created_at`)}`.as('at'))}) as seen`.execute(
    all,
  )
  const pending = firstPending ? await countUnindexed(pendingRows) : 0
  const { total, last } = rows[0]!
  return { source, indexed: total - pending, pending, last_indexed_at: last }

  async function countUnindexed(query: typeof visibleRows): Promise<number> {
    const counted = await sql<{
      n: number
    }>`select count(*) as n from (${query.select(sql`1`.as('one'))}) as waiting`.execute(all)
    return counted.rows[0]!.n
  }
}

/**
 * Counts entities and relations by type, most frequent first, and facts that are true at a moment. The totals of the
 * organization come from indexes, and the few rows of trashed entities are subtracted, which avoids checking both
 * ends of a million relations.
 */
export async function overviewCounts(
  reader: Viewer,
  at: number,
): Promise<{
  entities: { type: string; count: number }[]
  relations: { type: string; count: number }[]
  facts: number
}> {
  const { all, actor } = accessScopeOf(reader)
  if (actor.role === 'guest') return { entities: [], relations: [], facts: 0 }
  const org = actor.org_id
  const isStillValid = sql`(valid_to is null or valid_to > ${at})`
  const trashedEntities = sql`(select id from entities where org_id || '' = ${org} and deleted_at is not null)` // uses the index of trashed entities
  const byType = async (counts: ReturnType<typeof sql>) =>
    (
      await sql<{
        type: string
        count: number
      }>`select type, sum(n) as count from (${counts}) as counted group by type having sum(n) > 0 order by count desc, type limit 200`.execute(
        all,
      )
    ).rows
  const entities =
    await byType(sql`select type, count(*) as n from entities where org_id = ${org} group by type
    union all select type, -count(*) as n from entities where org_id || '' = ${org} and deleted_at is not null group by type`)
  const relations =
    await byType(sql`select type, count(*) as n from relations where org_id = ${org} and is_wrong = 0 and ${isStillValid} group by type
    union all select type, -count(*) as n from relations where id in (select id from relations where from_id in ${trashedEntities} union select id from relations where to_id in ${trashedEntities}) and is_wrong = 0 and ${isStillValid} group by type`)
  const { rows } = await sql<{
    n: number
  }>`select (select count(*) from facts where org_id = ${org} and valid_from <= ${at} and ${isStillValid}) - (select count(*) from facts where entity_id in ${trashedEntities} and valid_from <= ${at} and ${isStillValid}) as n`.execute(
    all,
  )
  return { entities, relations, facts: Number(rows[0]!.n) }
}

/** Name of the embedding model behind the semantic index. */
export async function modelOf(viewer: Viewer): Promise<string> {
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('search_spaces')
    .select(['provider', 'model'])
    .where('state', '=', 'active')
    .execute()
  return (rows.find((row) => row.provider === 'openai') ?? rows[0])?.model ?? 'static-256'
}

// Knowledge graph data about erased items: the entities that represent them with all statements about those, and the
// statements that have the items as their source.
import type { Id } from '../../kernel/ids.ts'
import { sql, type Kysely, type SqlBool } from 'kysely'
import { chunks } from '../../kernel/chunks.ts'
import type { Erasure, Forgotten } from '../../privacy/erasure.ts'
import type { Tables } from '../../db/tables.ts'

/** Ids of everything erased with items: entities, facts, observations and relations. */
async function graphRowIdsOf(
  db: Kysely<Tables>,
  { org_id: orgId, ids: items }: Forgotten,
): Promise<string[]> {
  const ids = sql.join([...items, ''])
  const entities = sql`(select id from entities where item_id in (${ids}) and org_id = ${orgId})`
  const { rows } = await sql<{ id: string }>`
    select id from entities where item_id in (${ids}) and org_id = ${orgId}
    union select id from facts where org_id = ${orgId} and (source_id in (${ids}) or entity_id in ${entities} or value_entity_id in ${entities})
    union select id from observations where org_id = ${orgId} and (source_id in (${ids}) or entity_id in ${entities})
    union select id from relations where org_id = ${orgId} and (source_id in (${ids}) or from_id in ${entities} or to_id in ${entities})
    union select id from item_links where org_id = ${orgId} and (from_id in (${ids}) or to_id in (${ids}))`.execute(
    db,
  )
  return rows.map((row) => row.id)
}

/**
 * Erases the copies of facts, notes and relations in the history of other entities and in the calls that stated
 * them.
 */
async function eraseCopies(db: Kysely<Tables>, rowIds: readonly string[]): Promise<void> {
  const ids = sql.join([...rowIds, ''])
  const { rows } = await sql<{ owner: string; id: string }>`
    select entity_id as owner, id from facts where id in (${ids}) union select entity_id, id from observations where id in (${ids}) union select from_id, id from relations where id in (${ids})`.execute(
    db,
  )
  for (const { owner, id } of rows) {
    const mentionsId = sql<SqlBool>`item_id = ${owner} and images_json like ${`%${id}%`}`
    const calls = db.selectFrom('changes').select('call_id').where(mentionsId)
    await db
      .updateTable('calls')
      .set({ details_json: null, salt: null })
      .where('id', 'in', calls.$castTo<{ call_id: Id<'calls'> }>())
      .execute()
    await db
      .updateTable('changes')
      .set({ fields_json: '[]', images_json: '[]' })
      .where(mentionsId)
      .execute()
  }
}

/** Deletes rows of the graph, with the data of entities. @returns their number */
async function deleteGraphRows(db: Kysely<Tables>, rowIds: readonly string[]): Promise<number> {
  if (rowIds.length === 0) return 0
  await eraseCopies(db, rowIds)
  const ids = sql.join([...rowIds, ''])
  await sql`delete from entity_names where entity_id in (select entity_id from entity_redirects where old_id in (${ids})) and name_key in (select name_key from entities where id in (${ids}))`.execute(
    db,
  ) // names left behind where the entities were merged
  for (const table of ['facts', 'observations', 'relations', 'item_links', 'entities'] as const) {
    const prefix = {
      facts: 'fct_',
      observations: 'obs_',
      relations: 'rel_',
      item_links: 'lnk_',
      entities: 'ent_',
    }[table]
    const idsOfTable = rowIds.filter((id) => id.startsWith(prefix))
    for (const batch of chunks(idsOfTable, 500))
      await db
        .deleteFrom(table as 'facts')
        .where(sql<SqlBool>`id in (${sql.join(batch)})`)
        .execute()
  }
  return rowIds.length
}

export const knowledgeErasure: Erasure = {
  name: 'knowledge',
  along: graphRowIdsOf,
  erase: (db, { own }) => deleteGraphRows(db, own),
}

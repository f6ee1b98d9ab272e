import { sql } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { entity, isNamed, isNamedLike } from '../access.ts'

export interface Counts {
  facts: number
  relations: number
  observations: number
}

/** Maximum counted per kind of an entity. */
const maxCounted = 10_000

/**
 * Counts the statements about entities at a moment, in one query for all. The reader must be able to see the
 * entities.
 */
export async function entityCountsOf(
  viewer: Viewer,
  ids: readonly Id<'entities'>[],
  at: number,
): Promise<Map<string, Counts>> {
  const isStillValid = (table: 'f' | 'r') =>
    sql`(${sql.ref(`${table}.valid_to`)} is null or ${sql.ref(`${table}.valid_to`)} > ${at})`
  const relationCountAt = (
    ownColumn: 'r.from_id' | 'r.to_id',
    other: 'r.from_id' | 'r.to_id',
  ) => sql`select count(*) from (select 1 from relations as r
    where ${sql.ref(ownColumn)} = e.id and r.is_wrong = 0 and ${isStillValid('r')} and exists (select 1 from entities as o where o.id = ${sql.ref(other)} and o.deleted_at is null) limit ${maxCounted}) as counted`
  const { rows } = await sql<Counts & { id: string }>`select e.id,
    (select count(*) from (select 1 from facts as f where f.entity_id = e.id and f.valid_from <= ${at} and ${isStillValid('f')} limit ${maxCounted}) as counted) as facts,
    (${relationCountAt('r.from_id', 'r.to_id')}) + (${relationCountAt('r.to_id', 'r.from_id')}) as relations,
    (select count(*) from (select 1 from observations as n where n.entity_id = e.id limit ${maxCounted}) as counted) as observations
    from entities as e where e.id in (${sql.join([...ids, ''])})`.execute(accessScopeOf(viewer).all)
  return new Map(rows.map(({ id, ...counts }) => [id, counts]))
}

/** Ids of the sources of entities: limited per kind, newest first. Their visibility is not checked yet. */
export async function sourceIds(
  reader: Viewer,
  ids: readonly Id<'entities'>[],
  limit: number,
): Promise<Map<string, string[]>> {
  const newest = (
    table: 'facts' | 'observations' | 'relations',
    column: string,
    order: string,
  ) => sql`select e.id as entity, s.source_id from entities as e join ${sql.table(table)} as s
    on s.id in (select k.id from ${sql.table(table)} as k where ${sql.ref(`k.${column}`)} = e.id and k.source_id is not null order by ${sql.ref(`k.${order}`)} desc limit ${limit}) where e.id in (${sql.join([...ids, ''])})`
  const all = [
    newest('facts', 'entity_id', 'id'),
    newest('facts', 'value_entity_id', 'id'),
    newest('observations', 'entity_id', 'observed_at'),
    newest('relations', 'from_id', 'id'),
    newest('relations', 'to_id', 'id'),
  ]
  const { rows } = await sql<{
    entity: string
    source_id: string
  }>`${sql.join(all, sql` union `)}`.execute(accessScopeOf(reader).all)
  const idsByEntity = new Map<string, string[]>(ids.map((id) => [id, []]))
  for (const { entity: id, source_id } of rows) idsByEntity.get(id)!.push(source_id)
  for (const entitySources of idsByEntity.values()) entitySources.sort().reverse()
  return idsByEntity
}

/** Visible entities that have items as source or represent them, by item id. */
export async function entityIdsOf(
  viewer: Viewer,
  items: readonly string[],
): Promise<Map<string, Set<Id<'entities'>>>> {
  const entitiesByItem = new Map<string, Set<Id<'entities'>>>()
  if (items.length === 0) return entitiesByItem
  const { all } = accessScopeOf(viewer)
  const ids = sql`(${sql.join([...new Set(items)])})`
  const { rows } = await sql<{ item: string; entity: Id<'entities'> }>`
    select item_id as item, id as entity from entities where item_id in ${ids} and deleted_at is null
    union select source_id, entity_id from facts where source_id in ${ids}
    union select source_id, entity_id from observations where source_id in ${ids}
    union select source_id, from_id from relations where source_id in ${ids} and is_wrong = 0
    union select source_id, to_id from relations where source_id in ${ids} and is_wrong = 0 limit 1000`.execute(
    all,
  )
  for (const { item, entity: id } of rows)
    entitiesByItem.set(item, (entitiesByItem.get(item) ?? new Set()).add(id))
  return entitiesByItem
}

/** Entities of a type with a name or alternative name, oldest first. */
export function entitiesNamed(
  reader: Viewer,
  key: string,
  type?: string,
): Promise<Row<'entities'>[]> {
  const query = entity.visibleTo(reader).where(isNamed(accessScopeOf(reader), key))
  return (type === undefined ? query : query.where('entities.type', '=', type))
    .selectAll('entities')
    .orderBy('entities.id')
    .limit(20)
    .execute()
}

/** Ids of entities with names that start with the text. */
export async function idsNamedLike(viewer: Viewer, key: string): Promise<Id<'entities'>[]> {
  const rows = await entity
    .visibleTo(viewer)
    .where(isNamedLike(accessScopeOf(viewer), key))
    .select(['entities.id', 'entities.name_key'])
    .orderBy('entities.name_key')
    .limit(200)
    .execute()
  return rows.map((row) => row.id)
}

/**
 * Ids of entities that represent items, visible or not: for conditions on rows whose visibility to the
 * caller is checked separately.
 */
export function entitiesRepresenting(reader: Viewer, items: readonly string[]) {
  return accessScopeOf(reader)
    .all.selectFrom('entities')
    .select('entities.id')
    .where('entities.item_id', 'in', items)
}

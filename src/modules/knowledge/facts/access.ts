import { sql, type SqlBool } from 'kysely'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { fact } from '../access.ts'

/** Filters facts to those that are true at a moment. */
export function trueAt(facts: Scoped<'facts'>, at: number): Scoped<'facts'> {
  return facts
    .where('facts.valid_from', '<=', at)
    .where((eb) => eb.or([eb('facts.valid_to', 'is', null), eb('facts.valid_to', '>', at)]))
}

/** Counts the entities, other than one, that have a current value for a predicate, and those with exactly one value. */
export async function usageOf(
  viewer: Viewer,
  predicate: string,
  exceptEntityId: string,
  at: number,
): Promise<{ entities: number; withOne: number }> {
  const facts = trueAt(fact.visibleTo(viewer), at)
    .where('facts.predicate', '=', predicate)
    .where('facts.entity_id', '<>', exceptEntityId as Row<'entities'>['id'])
  const currentValues = facts
    .select([
      'facts.entity_id',
      sql<string>`coalesce(facts.value_entity_id, facts.value_key)`.as('value'),
    ])
    .where('facts.org_id', '=', accessScopeOf(viewer).actor.org_id)
    .orderBy('facts.id', 'desc')
    .limit(5000)
  const { rows } = await sql<{ entities: number; with_one: number }>`
    select count(*) as entities, coalesce(sum(case when n = 1 then 1 else 0 end), 0) as with_one from (select entity_id, count(distinct value) as n from (${currentValues}) as said group by entity_id) as of_entity`.execute(
    accessScopeOf(viewer).all,
  )
  return { entities: rows[0]!.entities, withOne: rows[0]!.with_one }
}

/** A predicate of an entity with several values at a moment. */
export interface MultiValuedPredicate {
  entity_id: Row<'entities'>['id']
  predicate: string
}

/** Predicates of entities with several facts at a moment, by entity, after a position. */
export async function multiValuedAt(
  viewer: Viewer,
  at: number,
  entity: Row<'entities'> | undefined,
  after: MultiValuedPredicate | undefined,
  limit: number,
): Promise<MultiValuedPredicate[]> {
  let facts = trueAt(fact.visibleTo(viewer), at)
  if (entity) facts = facts.where('facts.entity_id', '=', entity.id)
  if (after)
    facts = facts.where(
      sql<SqlBool>`(facts.entity_id, facts.predicate) > (${after.entity_id}, ${after.predicate})`,
    )
  return facts
    .select(['facts.entity_id', 'facts.predicate'])
    .groupBy(['facts.entity_id', 'facts.predicate'])
    .having((eb) => eb.fn.countAll(), '>', 1)
    .orderBy('facts.entity_id')
    .orderBy('facts.predicate')
    .limit(limit)
    .execute()
}

/**
 * Facts true at a moment, with a source that was rewritten since. Visibility of the source is not
 * checked yet.
 */
export async function factsWithRewrittenSource(
  reader: Viewer,
  at: number,
  entityRow: Row<'entities'> | undefined,
  maxFacts: number,
): Promise<{ id: Row<'facts'>['id']; source_id: string }[]> {
  let facts = trueAt(fact.visibleTo(reader), at).where('facts.source_id', 'is not', null)
  if (entityRow) facts = facts.where('facts.entity_id', '=', entityRow.id)
  const isSourceNewer = sql<SqlBool>`exists (select 1 from search_docs as d where d.item_id = facts.source_id and d.part = 'item' and d.at > facts.created_at)`
  return (await facts
    .where(isSourceNewer)
    .select(['facts.id', 'facts.source_id'])
    .orderBy('facts.id', 'desc')
    .limit(maxFacts)
    .execute()) as { id: Row<'facts'>['id']; source_id: string }[]
}

/** Texts of visible items, by id. */
export async function itemTextsOf(
  viewer: Viewer,
  items: readonly string[],
): Promise<Map<string, string>> {
  if (items.length === 0) return new Map()
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('search_docs')
    .select(['item_id', 'title', 'body'])
    .where('item_id', 'in', items)
    .where('part', '=', 'item')
    .orderBy('rowid_')
    .execute()
  return new Map(
    [...Map.groupBy(rows, (row) => row.item_id)].map(([id, some]) => [
      id,
      some.map((item) => `${item.title}\n${item.body}`).join('\n'),
    ]),
  )
}

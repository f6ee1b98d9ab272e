import { sql } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { linksOf } from '../../../search/links.ts'
import type { Link } from '../../../search/worker/protocol.ts'

/** A connection of two entities: a relation, or a fact with an entity as value. */
export interface Edge {
  id: string
  kind: 'relation' | 'fact'
  from_id: Id<'entities'>
  to_id: Id<'entities'>
  type: string
  valid_from: number | null
  valid_to: number | null
  confidence: number
  note: string | null
  source_type: string | null
  source_id: string | null
  created_at: number
}

export interface EdgeBounds {
  /** Maximum number of newest edges per entity, kind and direction. */
  perNode: number
  maxEdges: number
  /** Restricts it to relations of these types and facts of these predicates. */
  types?: readonly string[] | undefined
  /** Restricts it to those true at a moment; default: any time. */
  at?: number | undefined
}

/** Entities per statement, whose parameters are limited. */
const batchSize = 200

/** Connections of visible entities to others outside the trash. A hub costs no more than `perNode`. */
export async function edgesOf(
  viewer: Viewer,
  ids: readonly Id<'entities'>[],
  bounds: EdgeBounds,
): Promise<Edge[]> {
  const edges = new Map<string, Edge>()
  for (let i = 0; i < ids.length && edges.size < bounds.maxEdges; i += batchSize) {
    for (const side of ['from_id', 'to_id'] as const)
      for (const relation of await relationsOn(viewer, ids.slice(i, i + batchSize), side, bounds))
        edges.set(relation.id, relation)
    for (const side of ['entity_id', 'value_entity_id'] as const)
      for (const fact of await factsOn(viewer, ids.slice(i, i + batchSize), side, bounds))
        edges.set(fact.id, fact)
  }
  return [...edges.values()]
}

async function relationsOn(
  reader: Viewer,
  ids: readonly Id<'entities'>[],
  side: 'from_id' | 'to_id',
  { perNode, maxEdges, types, at }: EdgeBounds,
): Promise<Edge[]> {
  const { all, actor } = accessScopeOf(reader)
  const other = side === 'from_id' ? 'to_id' : 'from_id'
  const typeCondition = types ? sql`and x.type in (${sql.join([...types])})` : sql``
  const validityCondition =
    at === undefined
      ? sql``
      : sql`and (x.valid_from is null or x.valid_from <= ${at}) and (x.valid_to is null or x.valid_to > ${at})`
  const { rows } = await sql<Edge>`
    select r.id, 'relation' as kind, r.from_id, r.to_id, r.type, r.valid_from, r.valid_to, r.confidence, r.note, r.source_type, r.source_id, r.created_at
    from entities as e cross join relations as r cross join entities as o
    where e.id in (${sql.join([...ids])}) and e.org_id = ${actor.org_id}
      and r.id in (select x.id from relations as x where x.${sql.ref(side)} = e.id and x.is_wrong = 0 ${typeCondition} ${validityCondition} order by x.id desc limit ${perNode})
      and o.id = r.${sql.ref(other)} and o.deleted_at is null
    limit ${maxEdges}`.execute(all)
  return rows
}

async function factsOn(
  viewer: Viewer,
  ids: readonly Id<'entities'>[],
  side: 'entity_id' | 'value_entity_id',
  { perNode, maxEdges, types, at }: EdgeBounds,
): Promise<Edge[]> {
  const { all, actor } = accessScopeOf(viewer)
  const other = side === 'entity_id' ? 'value_entity_id' : 'entity_id'
  const ofTypes = types ? sql`and x.predicate in (${sql.join([...types])})` : sql``
  const then =
    at === undefined
      ? sql`and (x.valid_to is null or x.valid_to > x.valid_from)`
      : sql`and x.valid_from <= ${at} and (x.valid_to is null or x.valid_to > ${at})`
  const { rows } = await sql<Edge>`
    select f.id, 'fact' as kind, f.entity_id as from_id, f.value_entity_id as to_id, f.predicate as type, f.valid_from, f.valid_to, f.confidence, f.value as note, f.source_type, f.source_id, f.created_at
    from entities as e cross join facts as f cross join entities as o
    where e.id in (${sql.join([...ids])}) and e.org_id = ${actor.org_id}
      and f.id in (select x.id from facts as x where x.${sql.ref(side)} = e.id and x.value_entity_id is not null and x.value_entity_id <> x.entity_id ${ofTypes} ${then} order by x.id desc limit ${perNode})
      and o.id = f.${sql.ref(other)} and o.deleted_at is null
    limit ${maxEdges}`.execute(all)
  return rows
}

/** Links from items' own tables. The caller must check access to their targets. */
export function typedLinks(reader: Viewer, items: readonly string[]): Promise<Link[]> {
  return linksOf(accessScopeOf(reader), items)
}

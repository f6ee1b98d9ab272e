import { sql } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import { sightOf, type Viewer } from '../../../records/access-scope.ts'
import { fact, observation, relation } from '../access.ts'

/** A moment at which something about an entity began, ended or was noted. */
export interface Moment {
  at: number
  /** Unique among those of an entity: together with the moment its place. */
  key: string
  kind: 'fact' | 'relation' | 'observation'
  what: 'began' | 'ended' | 'noted'
  id: string
}

/** The next such moments behind a place, the oldest first. */
export async function momentsOf(
  from: Viewer,
  id: Id<'entities'>,
  {
    after,
    before,
    place,
    limit,
  }: { after: number; before: number; place: readonly [number, string]; limit: number },
): Promise<Moment[]> {
  const facts = fact
    .visibleTo(from)
    .where((eb) => eb.or([eb('facts.entity_id', '=', id), eb('facts.value_entity_id', '=', id)]))
    .where(sql<boolean>`(facts.valid_to is null or facts.valid_to > facts.valid_from)` as never)
  const relations = relation
    .visibleTo(from)
    .where((eb) => eb.or([eb('relations.from_id', '=', id), eb('relations.to_id', '=', id)]))
    .where('relations.is_wrong', '=', 0)
  const notes = observation.visibleTo(from).where('observations.entity_id', '=', id)
  const begun = facts.select([
    'facts.valid_from as at',
    'facts.id as key',
    sql`'fact'`.as('kind'),
    sql`'began'`.as('what'),
    'facts.id as id',
  ])
  const over = facts
    .where('facts.valid_to', 'is not', null)
    .select([
      'facts.valid_to as at',
      sql<string>`facts.id || ':end'`.as('key'),
      sql`'fact'`.as('kind'),
      sql`'ended'`.as('what'),
      'facts.id as id',
    ])
  const joined = relations.select([
    sql<number>`coalesce(relations.valid_from, relations.created_at)`.as('at'),
    'relations.id as key',
    sql`'relation'`.as('kind'),
    sql`'began'`.as('what'),
    'relations.id as id',
  ])
  const parted = relations
    .where('relations.valid_to', 'is not', null)
    .select([
      'relations.valid_to as at',
      sql<string>`relations.id || ':end'`.as('key'),
      sql`'relation'`.as('kind'),
      sql`'ended'`.as('what'),
      'relations.id as id',
    ])
  const noted = notes.select([
    'observations.observed_at as at',
    'observations.id as key',
    sql`'observation'`.as('kind'),
    sql`'noted'`.as('what'),
    'observations.id as id',
  ])
  const parts = [begun, over, joined, parted, noted].map(
    (item) => sql`select * from (${item}) as part`,
  )
  const { rows } =
    await sql<Moment>`select at, key, kind, what, id from (${sql.join(parts, sql` union all `)}) as moments
    where at >= ${after} and at <= ${before} and (at, key) > (${place[0]}, ${place[1]}) order by at, key limit ${limit}`.execute(
      sightOf(from).all,
    )
  return rows
}

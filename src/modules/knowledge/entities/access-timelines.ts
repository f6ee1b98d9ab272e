import { sql, type RawBuilder, type SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { fact, observation, relation } from '../access.ts'

/** A moment at which something about an entity began, ended or was noted. */
export interface Moment {
  at: number
  /** Unique among an entity's; with the moment it forms the position. */
  key: string
  kind: 'fact' | 'relation' | 'observation'
  what: 'began' | 'ended' | 'noted'
  id: string
}

/** The next such moments after a position, oldest first. */
export async function momentsOf(
  viewer: Viewer,
  id: Id<'entities'>,
  {
    after,
    before,
    place,
    limit,
  }: { after: number; before: number; place: readonly [number, string]; limit: number },
): Promise<Moment[]> {
  const facts = fact
    .visibleTo(viewer)
    .where((eb) => eb.or([eb('facts.entity_id', '=', id), eb('facts.value_entity_id', '=', id)]))
    .where(sql<SqlBool>`(facts.valid_to is null or facts.valid_to > facts.valid_from)`)
  const relations = relation
    .visibleTo(viewer)
    .where((eb) => eb.or([eb('relations.from_id', '=', id), eb('relations.to_id', '=', id)]))
    .where('relations.is_wrong', '=', 0)
  const notes = observation.visibleTo(viewer).where('observations.entity_id', '=', id)
  const parts = [
    facts.select(momentColumns('fact', 'began', sql`facts.valid_from`)),
    facts
      .where('facts.valid_to', 'is not', null)
      .select(momentColumns('fact', 'ended', sql`facts.valid_to`)),
    relations.select(
      momentColumns('relation', 'began', sql`coalesce(relations.valid_from, relations.created_at)`),
    ),
    relations
      .where('relations.valid_to', 'is not', null)
      .select(momentColumns('relation', 'ended', sql`relations.valid_to`)),
    notes.select(momentColumns('observation', 'noted', sql`observations.observed_at`)),
  ].map((item) => sql`select * from (${item}) as part`)
  const { rows } =
    await sql<Moment>`select at, key, kind, what, id from (${sql.join(parts, sql` union all `)}) as moments
    where at >= ${after} and at <= ${before} and (at, key) > (${place[0]}, ${place[1]}) order by at, key limit ${limit}`.execute(
      accessScopeOf(viewer).all,
    )
  return rows
}

/** Columns of a moment of a fact, a relation or an observation. */
function momentColumns(kind: Moment['kind'], what: Moment['what'], at: RawBuilder<unknown>) {
  const id = sql.ref(`${kind}s.id`)
  return [
    at.as('at'),
    (what === 'ended' ? sql`${id} || ':end'` : id).as('key'),
    sql.lit(kind).as('kind'),
    sql.lit(what).as('what'),
    id.as('id'),
  ]
}

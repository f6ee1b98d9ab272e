import type { Searcher } from './searchable.ts'
import type { ItemTable, Resource, Row } from '../../records/resource.ts'
import type { HitFacts } from './searchable.ts'

/** Facts about a hit that a row provides. */
interface RowFacts<P extends ItemTable> {
  id: string
  /** People by id; each name is shown once. */
  people?: readonly (Row<'users'>['id'] | null)[]
  /** Names of people, shown before those. */
  names?: readonly string[]
  project?: Row<'projects'>['id'] | null
  /** Container of the item: a row of `resources.place`. */
  place?: Row<P>['id'] | null
  /** Default: internal. */
  trust?: HitFacts['trust']
  at?: number
}

/**
 * Resources that load the rows named by facts: each in one query, restricted to rows the caller may
 * see.
 */
interface FactResources<P extends ItemTable> {
  person?: Resource<'users'>
  project?: Resource<'projects'>
  place?: Resource<P>
}

/** Loads the details that hits of a kind show besides their titles, by item. */
export async function hitFacts<P extends ItemTable = ItemTable>(
  ctx: Searcher,
  { person, project, place }: FactResources<P>,
  rows: readonly RowFacts<P>[],
): Promise<Map<string, HitFacts>> {
  const people = await person?.among(
    ctx,
    rows.flatMap((row) => row.people?.filter((id) => id !== null) ?? []),
  )
  const projects = await project?.among(
    ctx,
    rows.flatMap((row) => row.project ?? []),
  )
  const places = await place?.among(
    ctx,
    rows.flatMap((row) => row.place ?? []),
  )
  return new Map(
    rows.map((row) => {
      const names = (row.people ?? []).flatMap((id) => people?.get(id ?? '')?.display_name ?? [])
      const inside = places?.get(row.place ?? '')
      return [
        row.id,
        {
          people: [...(row.names ?? []), ...new Set(names)],
          project: projects?.get(row.project ?? ''),
          place: inside && place?.ref(inside, ctx.baseUrl),
          trust: row.trust ?? 'internal',
          at: row.at,
        },
      ]
    }),
  )
}

import { findable } from '../../search/findable.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { page } from './access.ts'
import { pagesElsewhere } from './pages/access-tree.ts'

/** Pages lie under the organization, whose pages guests see one by one, and private ones under their owners. */
export const foundPages = findable({
  kind: 'page',
  source: 'pages',
  resource: page,
  containers: async (ctx) =>
    ctx.actor.role === 'guest' ? [ctx.actor.id] : [ctx.actor.org_id, ctx.actor.id],
  elsewhere: pagesElsewhere,
  narrow(_, pages, { project: of, person: who }) {
    const inProject = of ? pages.where('pages.project_id', '=', of.id) : pages
    return who
      ? inProject.where((eb) =>
          eb.or([eb('pages.created_by', '=', who.id), eb('pages.owner_id', '=', who.id)]),
        )
      : inProject
  },
  work: async (_, rows) =>
    new Map(
      rows.map((row) => [
        row.id,
        [
          { person: row.created_by, did: 'wrote this page', weight: 1 },
          ...(row.owner_id === row.created_by
            ? []
            : [{ person: row.owner_id, did: 'owns this page', weight: 0.6 }]),
        ],
      ]),
    ),
  async facts(ctx, rows) {
    const people = await person.among(
      ctx,
      rows.flatMap((row) => [row.owner_id, row.created_by]),
    )
    const projects = await project.among(
      ctx,
      rows.flatMap((row) => row.project_id ?? []),
    )
    return new Map(
      rows.map((row) => [
        row.id,
        {
          people: [
            ...new Set(
              [row.owner_id, row.created_by].flatMap((id) => people.get(id)?.display_name ?? []),
            ),
          ],
          project: row.project_id === null ? undefined : projects.get(row.project_id),
          trust: 'internal' as const,
        },
      ]),
    )
  },
})

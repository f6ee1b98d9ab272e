import { hitFacts } from '../../operations/search/hit-facts.ts'
import { searchable } from '../../operations/search/searchable.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { page } from './access.ts'
import { sharedPageContainers } from './pages/access-tree.ts'

/**
 * The container of an organization page is the organization (guests see only pages shared with them); that of a
 * private page is its owner.
 */
export const searchablePages = searchable({
  kind: 'page',
  source: 'pages',
  resource: page,
  containers: async (ctx) =>
    ctx.actor.role === 'guest' ? [ctx.actor.id] : [ctx.actor.org_id, ctx.actor.id],
  sharedItems: sharedPageContainers,
  narrow(_, pages, { project, person: author }) {
    const inProject = project ? pages.where('pages.project_id', '=', project.id) : pages
    return author
      ? inProject.where((eb) =>
          eb.or([eb('pages.created_by', '=', author.id), eb('pages.owner_id', '=', author.id)]),
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
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { person, project },
      rows.map((row) => ({
        id: row.id,
        people: [row.owner_id, row.created_by],
        project: row.project_id,
      })),
    ),
})

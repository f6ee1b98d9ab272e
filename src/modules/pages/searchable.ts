import { hitFacts } from '../../operations/search/hit-facts.ts'
import { searchable } from '../../operations/search/searchable.ts'
import { person } from '../directory/access.ts'
import { project } from '../portfolio/access.ts'
import { page } from './access.ts'
import { pagesElsewhere } from './pages/access-tree.ts'

/**
 * Organization pages are contained in the organization, where guests see individual pages; private ones in their
 * owners.
 */
export const searchablePages = searchable({
  kind: 'page',
  source: 'pages',
  resource: page,
  containers: async (ctx) =>
    ctx.actor.role === 'guest' ? [ctx.actor.id] : [ctx.actor.org_id, ctx.actor.id],
  sharedItems: pagesElsewhere,
  narrow(_, pages, { project, person: who }) {
    const inProject = project ? pages.where('pages.project_id', '=', project.id) : pages
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

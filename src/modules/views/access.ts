import { resource } from '../../records/resource.ts'
import { project } from '../portfolio/access.ts'

/**
 * Saved views: visible to their owner; a shared one also to the members of its project or, without a project, to all.
 */
export const savedView = resource(
  'saved_views',
  {
    type: 'saved_view',
    prefix: 'viw',
    see: (s) =>
      s.all
        .selectFrom('saved_views')
        .where('saved_views.org_id', '=', s.actor.org_id)
        .where((eb) =>
          eb.or([
            eb('saved_views.owner_id', '=', s.actor.id),
            eb.and([
              eb('saved_views.shared', '=', 1),
              eb.or([
                eb('saved_views.project_id', 'is', null),
                project.holds(s, 'saved_views.project_id'),
              ]),
            ]),
          ]),
        ),
    edit: (s) => s.all.selectFrom('saved_views').where('saved_views.owner_id', '=', s.actor.id),
    own: (s) => s.all.selectFrom('saved_views').where('saved_views.owner_id', '=', s.actor.id),
    rule: {
      edit: 'Only its owner may change a saved view.',
      own: 'Only its owner may delete a saved view.',
    },
    names: { columns: ['name'], details: (row) => ({ item_type: row.item_type }) },
    list: { tool: 'list_saved_views' },
    title: (row) => row.name,
    project: (row) => row.project_id,
    path: (row) => `views/${row.id}`,
    unaudited: ['owner_id'],
  },
  { trash: true },
)

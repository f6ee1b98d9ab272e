import { resource } from '../../core/resource.ts'

/** Labels: the organization's; everybody but guests keeps them. */
export const label = resource(
  'labels',
  {
    type: 'label',
    approval: { ignore: true },
    prefix: 'lbl',
    see: (s) => s.all.selectFrom('labels').where('labels.org_id', '=', s.actor.org_id),
    edit: (s) => {
      const labels = s.all.selectFrom('labels').where('labels.org_id', '=', s.actor.org_id)
      return s.actor.role === 'guest' ? labels.where('labels.created_by', '=', s.actor.id) : labels
    },
    own: (s) => {
      const labels = s.all.selectFrom('labels').where('labels.org_id', '=', s.actor.org_id)
      return s.actor.role === 'guest' ? labels.where('labels.created_by', '=', s.actor.id) : labels
    },
    rule: {
      edit: 'Guests may change only labels they created.',
      own: 'Guests may delete only labels they created.',
    },
    names: { columns: ['name'], unique: true },
    list: { tool: 'list_labels' },
    title: (row) => row.name,
    path: (row) => `labels/${row.id}`,
  },
  { trash: true },
)

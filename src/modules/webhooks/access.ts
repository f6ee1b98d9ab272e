import { part } from '../../records/part.ts'
import { type Row, resource } from '../../records/resource.ts'

/** Columns that determine which events a webhook sends. */
const sendingColumns = ['address', 'events_json', 'filter_json'] as const
const isSending = (row: Row<'webhooks'>) => row.active === 1 && row.deleted_at === null

/** Webhooks: visible to their owner only. */
export const webhook = resource(
  'webhooks',
  {
    type: 'webhook',
    prefix: 'whk',
    see: (s) => s.all.selectFrom('webhooks').where('webhooks.owner_id', '=', s.actor.id),
    edit: (s) => s.all.selectFrom('webhooks').where('webhooks.owner_id', '=', s.actor.id),
    own: (s) => s.all.selectFrom('webhooks').where('webhooks.owner_id', '=', s.actor.id),
    isOutbound: (row, before) =>
      isSending(row) &&
      (!before ||
        !isSending(before) ||
        sendingColumns.some((column) => row[column] !== before[column])),
    names: { columns: ['name'], details: (row) => ({ active: row.active === 1 }) },
    list: { tool: 'list_webhooks' },
    title: (row) => row.name,
    path: (row) => `settings/integrations/webhooks/${row.id}`,
    unaudited: [
      'owner_id',
      'since_seq',
      'failures',
      'failing_since_at',
      'last_delivery_at',
      'rotated_at',
    ],
  },
  { trash: true },
)

/** Deliveries of a webhook, sent or pending. Only the system writes them (access-deliveries.ts). */
export const delivery = part('webhook_deliveries', {
  table: 'webhooks',
  by: 'webhook_id',
  field: 'deliveries',
  touch: 'time',
  unique: ['id'],
})

import { part, resource } from '../../core/resource.ts'

/** Webhooks: each person's own, nobody else's. */
export const webhook = resource(
  'webhooks',
  {
    type: 'webhook',
    prefix: 'whk',
    see: s => s.all.selectFrom('webhooks').where('webhooks.owner_id', '=', s.actor.id),
    edit: s => s.all.selectFrom('webhooks').where('webhooks.owner_id', '=', s.actor.id),
    own: s => s.all.selectFrom('webhooks').where('webhooks.owner_id', '=', s.actor.id),
    title: row => row.name,
    path: row => `settings/integrations/webhooks/${row.id}`,
    quiet: ['owner_id', 'since_seq', 'failures', 'failing_since_at', 'last_delivery_at', 'rotated_at'],
  },
  { trash: true },
)

/** What was sent, or is to be, of a webhook. Written by the house alone (access-deliveries.ts). */
export const delivery = part('webhook_deliveries', { table: 'webhooks', by: 'webhook_id', field: 'deliveries', touch: 'time', unique: ['id'] })

import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetimeString } from '../../kernel/fields.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, Ref } from '../../records/shapes.ts'
import { webhook } from './access.ts'

export const WebhookFilter = shape('WebhookFilter', {
  project_ids: z
    .array(z.string().min(1).max(320))
    .min(1)
    .max(50)
    .optional()
    .describe('only in these projects'),
  fields: z
    .array(z.string().regex(/^[a-z_]{1,60}$/))
    .min(1)
    .max(30)
    .optional()
    .describe('only updates of these fields'),
  via: z
    .array(z.enum(['web', 'api', 'mcp', 'automation', 'sync', 'cli']))
    .min(1)
    .max(6)
    .optional(),
  by_others: z.boolean().optional().describe('true: skip your own changes'),
})

export const Webhook = shape('Webhook', {
  ...common,
  url: z.string().describe('where deliveries go'),
  name: z.string(),
  events: z.array(z.string()),
  filter: WebhookFilter.optional(),
  active: z.boolean(),
  secret: z.string().optional().describe('signs the deliveries; shown only once'),
  health: z.enum(['ok', 'failing', 'paused']),
  last_delivery_at: datetimeString().optional(),
})

export const deliveryStates = ['pending', 'delivered', 'failed'] as const

export const WebhookDelivery = shape('WebhookDelivery', {
  id: z.string(),
  webhook: Ref,
  event: z.string(),
  status: z.enum(deliveryStates),
  attempts: z.int(),
  response_code: z.int().optional().describe('absent: no response'),
  next_attempt_at: datetimeString().optional(),
  payload: z.record(z.string(), z.unknown()),
  created_at: datetimeString(),
})

type WebhookRow = Row<'webhooks'>

/** Presents webhooks to their owner. */
export async function presentWebhooks(
  ctx: ReadContext,
  rows: readonly WebhookRow[],
): Promise<z.infer<typeof Webhook>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, row.address, people),
      name: row.name,
      events: JSON.parse(row.events_json) as string[],
      filter:
        row.filter_json === null
          ? undefined
          : (JSON.parse(row.filter_json) as z.infer<typeof WebhookFilter>),
      active: row.active === 1,
      health: healthOf(row),
      last_delivery_at: row.last_delivery_at === null ? undefined : iso(row.last_delivery_at),
    }),
  )
}

function healthOf(row: WebhookRow): 'ok' | 'paused' | 'failing' {
  if (row.active === 0) return 'paused'
  return row.failing_since_at === null ? 'ok' : 'failing'
}

export function webhookRef(row: WebhookRow, baseUrl: string): z.infer<typeof Ref> {
  return { id: row.id, title: row.name, url: webhook.url(row, baseUrl) }
}

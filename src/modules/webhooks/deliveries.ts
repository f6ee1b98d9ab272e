import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import { visibleAmong } from '../../events/filter.ts'
import type { ReadContext } from '../../operations/context.ts'
import { paging, pageOf } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { paged, pageWithItems } from '../../records/paging.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { delivery, webhook } from './access.ts'
import { changeAt, type DeliveryChangeRow, type DeliveryRow } from './access-deliveries.ts'
import { payloadOf, type Payload } from './payloads.ts'
import { deliveryStates, WebhookDelivery, webhookRef } from './shapes.ts'

export const listWebhookDeliveries = operation({
  name: 'list_webhook_deliveries',
  searchHint: 'did the callback arrive, failed callbacks, retry log',
  kind: 'read',
  rest: 'GET /api/webhooks/{webhook_id}/deliveries',
  about: 'Recent deliveries with response, attempts and payload',
  on: { webhook: webhook.see },
  input: { status: z.enum(deliveryStates).optional(), ...paging },
  output: pageOf(WebhookDelivery),
  async handle({ webhook: row, status, limit, cursor }, ctx) {
    let query = delivery.of(ctx, [row.id]).selectAll('webhook_deliveries')
    if (status) query = query.where('webhook_deliveries.status', '=', status)
    const order = [
      { by: 'webhook_deliveries.change_seq', as: 'change_seq', dir: 'desc' },
      { by: 'webhook_deliveries.id', as: 'id', dir: 'desc' },
    ] as const
    const page = await paged(query, order, { limit, cursor })
    return pageWithItems(page, await presentDeliveries(ctx, row, page.items))
  },
})

async function presentDeliveries(
  ctx: ReadContext,
  row: Row<'webhooks'>,
  rows: readonly DeliveryRow[],
): Promise<z.infer<typeof WebhookDelivery>[]> {
  const ownerRef = webhookRef(row, ctx.baseUrl)
  const changes = new Map<number, DeliveryChangeRow>()
  for (const item of rows) {
    const change = changes.get(item.change_seq) ?? (await changeAt(ctx, item.change_seq))
    if (change) changes.set(item.change_seq, change)
  }
  const visibleSeqs = await visibleAmong(ctx, [...changes.values()])
  return Promise.all(
    rows.map(async (item) =>
      omitNullish({
        id: item.id,
        webhook: ownerRef,
        event: item.event,
        status: item.status,
        attempts: item.attempts,
        response_code: item.response_code,
        next_attempt_at: item.next_attempt_at === null ? undefined : iso(item.next_attempt_at),
        payload: await payloadForOwner(ctx, item, changes.get(item.change_seq), visibleSeqs),
        created_at: iso(item.created_at),
      }),
    ),
  )
}

/**
 * Payload as last sent, or as it would be sent now; if the owner may no longer see the item, only the fact that it
 * was sent.
 */
async function payloadForOwner(
  ctx: ReadContext,
  { event, payload_json, change_seq }: DeliveryRow,
  change: DeliveryChangeRow | undefined,
  seen: ReadonlySet<number>,
): Promise<Payload> {
  if (!change || !seen.has(change_seq)) return { event }
  if (payload_json !== null) return JSON.parse(payload_json) as Payload
  return (await payloadOf(ctx, change, event)) ?? { event }
}

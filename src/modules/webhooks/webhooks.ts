import { omitUndefined } from '../../kernel/present.ts'
import { z } from 'zod'
import type { EventFilter } from '../../events/filter.ts'
import type { ReadContext } from '../../operations/context.ts'
import { paging, pageOf, secret, title } from '../../kernel/fields.ts'
import { operation } from '../../operations/operation.ts'
import { paged, pageWithItems } from '../../records/paging.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { Row } from '../../records/resource.ts'
import { deletedRef } from '../directory/shapes.ts'
import { DeletedRef } from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { webhook } from './access.ts'
import { newestChange } from './access-deliveries.ts'
import { checkEvents } from './events.ts'
import { requestDelivery } from './requests.ts'
import { presentWebhooks, Webhook, WebhookFilter } from './shapes.ts'
import { mintSecret } from './signing.ts'

const maxWebhooks = 50
const eventList = () =>
  z
    .array(
      z
        .string()
        .regex(
          /^[a-z_]{1,40}\.([a-z_]{1,40}|\*)$/,
          'must be an event such as task.completed, or task.*',
        ),
    )
    .min(1)
    .max(100)

export const listWebhooks = operation({
  name: 'list_webhooks',
  searchHint: 'integrations, callbacks',
  kind: 'read',
  rest: 'GET /api/webhooks',
  about: 'Your webhooks with events and health',
  input: { active: z.boolean().optional(), ...paging },
  output: pageOf(Webhook),
  async handle({ active, limit, cursor }, ctx) {
    let query = webhook.visibleTo(ctx).selectAll('webhooks')
    if (active !== undefined) query = query.where('webhooks.active', '=', active ? 1 : 0)
    const page = await paged(query, [{ by: 'webhooks.id', as: 'id', dir: 'desc' }], {
      limit,
      cursor,
    })
    return pageWithItems(page, await presentWebhooks(ctx, page.items))
  },
})

export const createWebhook = operation({
  name: 'create_webhook',
  searchHint: 'call my server, HTTP callback, notify an outside system, push events, integration',
  kind: 'destructive',
  rest: 'POST /api/webhooks',
  about:
    'Send selected events visible to you to an outside address, signed; the signing secret is shown once',
  input: {
    url: secret(z.string().min(1).max(2000)).describe('http or https, a public address'),
    events: eventList().describe('such as task.completed, or task.*'),
    name: title().optional(),
    filter: WebhookFilter.optional(),
  },
  output: Webhook,
  redactOnReplay: ['secret'],
  outbound: true,
  prepare: ({ url }, { outbound }) => outbound.checkUrl(url, 'url'),
  async handle({ url, events, name, filter }, ctx) {
    checkEvents(ctx.catalogue, events)
    await checkWebhookLimit(ctx)
    const address = new URL(url).href
    const row = await ctx.add('webhooks', {
      owner_id: ctx.actor.id,
      name: name?.trim() ?? new URL(address).host,
      address,
      events_json: JSON.stringify([...new Set(events)]),
      filter_json: await filterJson(ctx, filter),
      active: 1,
      since_seq: await newestChange(ctx),
      failures: 0,
    })
    const newSecret = mintSecret()
    await ctx.secrets.put('webhooks', row, 'secret', newSecret)
    return { ...(await presentWebhook(ctx, row)), secret: newSecret }
  },
})

export const updateWebhook = operation({
  name: 'update_webhook',
  searchHint: 'pause a callback, other events',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/webhooks/{webhook_id}',
  about: 'Change events or filter, pause or resume a webhook; the address cannot be changed',
  on: { webhook: webhook.edit },
  input: {
    name: title().optional(),
    events: eventList().optional().describe('such as task.completed, or task.*'),
    filter: WebhookFilter.nullable().optional(),
    active: z.boolean().optional(),
  },
  output: Webhook,
  outbound: ({ events, filter, active }) =>
    events !== undefined || filter !== undefined || active === true,
  argumentHints: {
    url: 'create_webhook: the address of a webhook cannot be changed; create another one',
  },
  async handle({ webhook: row, name, events, filter, active }, ctx) {
    if (events) checkEvents(ctx.catalogue, events)
    const changed = await ctx.change(
      'webhooks',
      row,
      omitUndefined({
        name: name === undefined ? undefined : name.trim(),
        events_json: events ? JSON.stringify([...new Set(events)]) : undefined,
        filter_json: filter === undefined ? undefined : await filterJson(ctx, filter ?? undefined),
        ...(active !== undefined &&
          active !== (row.active === 1) &&
          (active ? resumeColumns : pauseColumns)),
      }),
    )
    if (active) await requestDelivery(ctx, row.id)
    return presentWebhook(ctx, changed)
  },
})

export const deleteWebhook = operation({
  name: 'delete_webhook',
  searchHint: 'remove a callback, stop an integration',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/webhooks/{webhook_id}',
  about: 'Delete a webhook',
  on: { webhook: webhook.own },
  output: DeletedRef,
  async handle({ webhook: row }, ctx) {
    await ctx.trash('webhooks', row)
    return deletedRef(ctx, webhook.ref(row, ctx.baseUrl))
  },
})

export const rotateWebhookSecret = operation({
  name: 'rotate_webhook_secret',
  kind: 'destructive',
  rest: 'POST /api/webhooks/{webhook_id}/rotate-secret',
  about: 'Replace the signing secret of a webhook, shown once; the old one stays valid for a day',
  on: { webhook: webhook.edit },
  output: Webhook,
  redactOnReplay: ['secret'],
  outbound: true, // anyone who holds the new secret can speak in the name of this workspace
  unlisted: true,
  async handle({ webhook: row }, ctx) {
    const before = await ctx.secrets.read('webhooks', row, 'secret')
    const signing = mintSecret()
    if (before !== undefined) await ctx.secrets.put('webhooks', row, 'previous_secret', before)
    await ctx.secrets.put('webhooks', row, 'secret', signing)
    const changed = await ctx.change('webhooks', row, { rotated_at: ctx.now })
    return { ...(await presentWebhook(ctx, changed)), secret: signing }
  },
})

async function presentWebhook(ctx: ReadContext, row: Row<'webhooks'>) {
  return (await presentWebhooks(ctx, [row]))[0]!
}

/** Events that occur while a webhook is paused are not sent: see webhooksOf. */
const pauseColumns: Partial<Row<'webhooks'>> = { active: 0, pause: 'owner' }
const resumeColumns: Partial<Row<'webhooks'>> = {
  active: 1,
  pause: null,
  failures: 0,
  failing_since_at: null,
}

async function checkWebhookLimit(ctx: ReadContext): Promise<void> {
  const { count } = await webhook
    .visibleTo(ctx)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxWebhooks)
    throw new Refusal(
      'conflict',
      `You have ${count} webhooks, the maximum per person.`,
      'Delete one with delete_webhook.',
    )
}

/** The filter to store; its project ids must be visible to the owner. */
async function filterJson(
  ctx: ReadContext,
  filter: EventFilter | undefined,
): Promise<string | null> {
  if (!filter || Object.values(filter).every((value) => value === undefined)) return null
  if (!filter.project_ids) return JSON.stringify(filter)
  const projects = await project.requireAll(ctx, filter.project_ids, 'see', 'filter.project_ids')
  return JSON.stringify({ ...filter, project_ids: projects.map((row) => row.id) })
}

import type { Id } from '../../kernel/ids.ts'
import {
  filterableEvent,
  type EventFilter,
  type FilterableEvent,
  visibleAmong,
} from '../../events/filter.ts'
import type { Tick, TickContext } from '../../operations/jobs/tick.ts'
import {
  addDelivery,
  countPending,
  deleteDeliveryJobs,
  advanceDeliveryFeed,
  nextDeliveryChanges,
  nextDue,
  orgWithDeliveries,
  overdueWebhooks,
  webhooksOf,
  type DeliveryChangeRow,
  type SubscribedWebhook,
  type WebhookRow,
} from './access-deliveries.ts'
import { maxPending } from './attempts.ts'
import { eventsFor } from './events.ts'
import { pauseWebhook } from './pauses.ts'
import { requestDelivery, deliverWebhook, wakeWebhook } from './requests.ts'

const batchSize = 100
const overdueAfterMs = 60_000
const jobRetentionMs = 10 * 60_000 // there may be one per event; the deliveries record the results

/** Events of a change that match a webhook. */
interface Match {
  change: DeliveryChangeRow
  events: string[]
}

/**
 * Creates deliveries for changes. The feed position is stored in the same transaction, so that a crash between a
 * change and its deliveries neither loses nor duplicates any.
 */
export const feedWebhooks: Tick = {
  name: 'feed_webhooks',
  due: async (all) => (await orgWithDeliveries(all)) !== undefined,
  async run(system) {
    const org = await orgWithDeliveries(system.all)
    if (!org) return false
    const webhooks = await webhooksOf(system, org)
    const changes = await nextDeliveryChanges(
      system,
      org,
      Math.min(...webhooks.map((webhook) => webhook.since), Number.MAX_SAFE_INTEGER),
      batchSize,
    )
    const filterableChanges = changes
      .filter((change) => change.item_type !== 'webhook')
      .map((change) => ({ change, source: filterableEvent(change) }))
    for (const webhook of webhooks)
      await addDeliveries(system, webhook, matchesOf(webhook, filterableChanges))
    await advanceDeliveryFeed(system, org, changes.at(-1)?.seq ?? (await lastSeq(system, org)))
    return true
  },
}

/** Last change. With no webhooks left to notify, all changes up to it count as delivered. */
async function lastSeq({ all }: TickContext, orgId: string): Promise<number> {
  const row = await all
    .selectFrom('changes')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .where('org_id', '=', orgId as Id<'orgs'>)
    .executeTakeFirst()
  return Number(row?.seq ?? 0)
}

function matchesOf(
  { events_json, filter_json, owner_id, since }: SubscribedWebhook,
  changes: readonly { change: DeliveryChangeRow; source: FilterableEvent }[],
): Match[] {
  const patterns = JSON.parse(events_json) as string[]
  const filter = filter_json === null ? undefined : (JSON.parse(filter_json) as EventFilter)
  return changes
    .filter(
      ({ change }) =>
        change.seq > since && (change.for_person_id === null || change.for_person_id === owner_id),
    )
    .map(({ change, source }) => ({
      change,
      events: eventsFor(patterns, filter, owner_id, source),
    }))
    .filter((item) => item.events.length > 0)
}

/** Includes only changes that the owner can see; checked again when sent. */
async function addDeliveries(
  system: TickContext,
  webhook: WebhookRow,
  matches: readonly Match[],
): Promise<void> {
  if (matches.length === 0) return
  await system.as(webhook.owner_id, async (ctx) => {
    const visibleSeqs = await visibleAmong(
      ctx,
      matches.map((match) => match.change),
    )
    const due = matches
      .filter((match) => visibleSeqs.has(match.change.seq))
      .flatMap(({ change, events }) => events.map((event) => ({ change, event })))
    if (due.length === 0) return
    if ((await countPending(system, webhook.id)) + due.length > maxPending)
      return pauseWebhook(ctx, webhook, 'overflow')
    for (const { change, event } of due) await addDelivery(system, webhook, change, event)
    if ((await nextDue(system, webhook.id))! <= system.now) await requestDelivery(ctx, webhook.id) // otherwise they wait behind one that failed
  })
}

/**
 * Reschedules late deliveries: of people who are active again, or left behind by a dead job. Deletes completed jobs.
 */
export const wakeWebhooks: Tick = {
  name: 'wake_webhooks',
  async run(system) {
    for (const { id, owner_id } of await overdueWebhooks(system, overdueAfterMs))
      await system.as(owner_id, (ctx) => requestDelivery(ctx, id))
    return (
      (await deleteDeliveryJobs(
        system,
        [deliverWebhook.name, wakeWebhook.name],
        system.now - jobRetentionMs,
        batchSize,
      )) === batchSize
    )
  },
}

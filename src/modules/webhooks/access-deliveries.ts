import { sql } from 'kysely'
import type { Kysely, SelectQueryBuilder } from 'kysely'
import { newId, type Id } from '../../kernel/ids.ts'
import type { TickContext } from '../../operations/jobs/tick.ts'
import type { Row } from '../../records/resource.ts'
import { withTrash, type Viewer } from '../../records/access-scope.ts'
import type { Tables } from '../../db/tables.ts'

// Deliveries are internal rows, like jobs: they have no author, and so no activity and no events.

export type WebhookRow = Row<'webhooks'>
export type DeliveryRow = Row<'webhook_deliveries'>
export type DeliveryChangeRow = Pick<
  Row<'changes'>,
  | 'seq'
  | 'at'
  | 'actor_id'
  | 'via'
  | 'op'
  | 'events_json'
  | 'item_type'
  | 'item_id'
  | 'project_id'
  | 'fields_json'
  | 'for_person_id'
>

type Database = Kysely<Tables>
const changeColumns = [
  'seq',
  'at',
  'actor_id',
  'via',
  'op',
  'events_json',
  'item_type',
  'item_id',
  'project_id',
  'fields_json',
  'for_person_id',
] as const

/** Active webhooks, excluding the trash. */
function activeWebhooks(all: Database) {
  return all
    .selectFrom('webhooks')
    .where('webhooks.active', '=', 1)
    .where('webhooks.deleted_at', 'is', null)
}

/** An organization with active webhooks and changes that were not yet matched against them. */
export async function orgWithDeliveries(all: Database): Promise<Id<'orgs'> | undefined> {
  const row = await activeWebhooks(all)
    .leftJoin('webhook_feeds', 'webhook_feeds.org_id', 'webhooks.org_id')
    .select('webhooks.org_id')
    .where(({ exists, selectFrom, fn, ref }) =>
      exists(
        selectFrom('changes')
          .select('changes.seq')
          .whereRef('changes.org_id', '=', 'webhooks.org_id')
          .where(
            'changes.seq',
            '>',
            fn.coalesce(ref('webhook_feeds.seq'), ref('webhooks.since_seq')),
          ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.org_id
}

/**
 * `since`: the last change that activated it; earlier changes are not sent. The change was by the person who resumed,
 * restored or undid.
 */
export type SubscribedWebhook = WebhookRow & { since: number }

/** The organization's active webhooks whose owners are active. */
export async function webhooksOf(
  { all }: TickContext,
  orgId: Id<'orgs'>,
): Promise<SubscribedWebhook[]> {
  const rows = await activeWebhooks(all)
    .innerJoin('users', 'users.id', 'webhooks.owner_id')
    .where('users.status', '=', 'active')
    .where('webhooks.org_id', '=', orgId)
    .selectAll('webhooks')
    .select((eb) =>
      eb
        .selectFrom('changes')
        .whereRef('changes.item_id', '=', 'webhooks.id')
        .where((eb) =>
          eb.or([
            eb('changes.op', '=', 'restored'),
            eb('changes.fields_json', 'like', '%"field":"active"%'),
          ]),
        )
        .select((eb) => eb.fn.max('changes.seq').as('seq'))
        .as('activated'),
    )
    .orderBy('webhooks.id')
    .execute()
  return rows.map(({ activated, ...row }) => ({
    ...row,
    since: Math.max(row.since_seq, Number(activated ?? 0)),
  }))
}

/** The next changes of an organization after its feed position, skipping those that none of its webhooks receives. */
export async function nextDeliveryChanges(
  { all }: TickContext,
  orgId: Id<'orgs'>,
  from: number,
  limit: number,
): Promise<DeliveryChangeRow[]> {
  const feed = await all
    .selectFrom('webhook_feeds')
    .select('seq')
    .where('org_id', '=', orgId)
    .executeTakeFirst()
  const start = Math.max(feed?.seq ?? 0, from)
  return all
    .selectFrom('changes')
    .select(changeColumns)
    .where('org_id', '=', orgId)
    .where('seq', '>', start)
    .orderBy('seq')
    .limit(limit)
    .execute()
}

/** Stores the change up to which an organization's webhooks have deliveries. */
export async function advanceDeliveryFeed(
  { all }: TickContext,
  orgId: Id<'orgs'>,
  seq: number,
): Promise<void> {
  await all
    .insertInto('webhook_feeds')
    .values({ org_id: orgId, seq })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ seq }))
    .execute()
}

/** The sequence number of the instance's newest change. */
export async function newestChange(viewer: Viewer): Promise<number> {
  const row = await withTrash(viewer)
    .all.selectFrom('changes')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst()
  return Number(row?.seq ?? 0)
}

/** A change by sequence number, for a payload. */
export function changeAt(reader: Viewer, seq: number): Promise<DeliveryChangeRow | undefined> {
  return withTrash(reader)
    .all.selectFrom('changes')
    .select(changeColumns)
    .where('seq', '=', seq)
    .executeTakeFirst()
}

export async function addDelivery(
  { all, now }: TickContext,
  { id, org_id }: WebhookRow,
  change: DeliveryChangeRow,
  event: string,
): Promise<void> {
  await all
    .insertInto('webhook_deliveries')
    .values({
      id: newId('wdl', now),
      org_id,
      webhook_id: id,
      change_seq: change.seq,
      event,
      status: 'pending',
      attempts: 0,
      aside: 0,
      next_attempt_at: now,
      response_code: null,
      payload_json: null,
      created_at: now,
      finished_at: null,
    })
    .onConflict((conflict) => conflict.columns(['webhook_id', 'change_seq', 'event']).doNothing())
    .execute()
}

export async function countPending(
  { all }: TickContext,
  webhookId: Id<'webhooks'>,
): Promise<number> {
  const row = await pendingDeliveries(all, webhookId)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return row.count
}

/** A webhook that may send now. */
export function activeWebhook({ all }: TickContext, id: string): Promise<WebhookRow | undefined> {
  return activeWebhooks(all)
    .where('webhooks.id', '=', id as Id<'webhooks'>)
    .selectAll('webhooks')
    .executeTakeFirst()
}

/**
 * The next delivery: the first due one in the order of changes, provided that no earlier one waits for a retry,
 * except those moved aside.
 */
export async function nextDelivery(
  { all, now }: TickContext,
  webhookId: Id<'webhooks'>,
): Promise<DeliveryRow | undefined> {
  const head = await firstInOrder(
    pendingDeliveries(all, webhookId).where('aside', '=', 0),
  ).executeTakeFirst()
  const aside = await firstInOrder(
    pendingDeliveries(all, webhookId).where('aside', '=', 1).where('next_attempt_at', '<=', now),
  ).executeTakeFirst()
  const due = [head, aside].filter(
    (item) => item !== undefined && item.next_attempt_at! <= now,
  ) as DeliveryRow[]
  return due.sort((a, b) => a.change_seq - b.change_seq || (a.id < b.id ? -1 : 1))[0]
}

/** When the next delivery of a webhook is due; undefined if none is pending. */
export async function nextDue(
  { all }: TickContext,
  webhookId: Id<'webhooks'>,
): Promise<number | undefined> {
  const head = await firstInOrder(
    pendingDeliveries(all, webhookId).where('aside', '=', 0),
  ).executeTakeFirst()
  const aside = await pendingDeliveries(all, webhookId)
    .where('aside', '=', 1)
    .select((eb) => eb.fn.min('next_attempt_at').as('at'))
    .executeTakeFirst()
  const moments = [head?.next_attempt_at, aside?.at].filter((at) => at != null) as number[]
  return moments.length === 0 ? undefined : Math.min(...moments)
}

/** Webhooks with deliveries that have been due for a while, and their owners. */
export function overdueWebhooks(
  { all, now }: TickContext,
  since: number,
): Promise<{ id: Id<'webhooks'>; owner_id: Id<'users'> }[]> {
  return activeWebhooks(all)
    .innerJoin('users', 'users.id', 'webhooks.owner_id')
    .where('users.status', '=', 'active')
    .where(({ exists, selectFrom }) =>
      exists(
        selectFrom('webhook_deliveries')
          .select('webhook_deliveries.id')
          .whereRef('webhook_deliveries.webhook_id', '=', 'webhooks.id')
          .where('webhook_deliveries.status', '=', 'pending')
          .where('webhook_deliveries.next_attempt_at', '<=', now - since),
      ),
    )
    .select(['webhooks.id', 'webhooks.owner_id'])
    .limit(100)
    .execute() as Promise<{ id: Id<'webhooks'>; owner_id: Id<'users'> }[]>
}

export async function changeDelivery(
  { all }: TickContext,
  id: Id<'webhook_deliveries'>,
  patch: Partial<DeliveryRow>,
): Promise<void> {
  await all.updateTable('webhook_deliveries').set(patch).where('id', '=', id).execute()
}

export async function dropDelivery(
  { all }: TickContext,
  id: Id<'webhook_deliveries'>,
): Promise<void> {
  await all.deleteFrom('webhook_deliveries').where('id', '=', id).execute()
}

/** Records the health of a webhook, which only its list shows. */
export async function recordHealth(
  { all }: TickContext,
  id: Id<'webhooks'>,
  patch: Partial<Pick<WebhookRow, 'failures' | 'failing_since_at' | 'last_delivery_at'>>,
): Promise<void> {
  await all.updateTable('webhooks').set(patch).where('id', '=', id).execute()
}

/** Deletes deliveries that ended before a moment, at most `limit`; returns their number. */
export async function deleteOldDeliveries(
  { all }: TickContext,
  before: number,
  limit: number,
): Promise<number> {
  const expired = await all
    .selectFrom('webhook_deliveries')
    .select('id')
    .where('finished_at', '<', before)
    .orderBy('finished_at')
    .limit(limit)
    .execute()
  if (expired.length > 0)
    await all
      .deleteFrom('webhook_deliveries')
      .where(
        'id',
        'in',
        expired.map((row) => row.id),
      )
      .execute()
  return expired.length
}

/** Deletes jobs of some kinds that completed before a moment, at most `limit`; returns their number. */
export async function deleteDeliveryJobs(
  { all }: TickContext,
  kinds: readonly string[],
  before: number,
  limit: number,
): Promise<number> {
  const old = await all
    .selectFrom('jobs')
    .select('id')
    .where('state', '=', 'done')
    .where('kind', 'in', kinds)
    .where('finished_at', '<', before)
    .limit(limit)
    .execute()
  if (old.length > 0)
    await all
      .deleteFrom('jobs')
      .where(
        'id',
        'in',
        old.map((row) => row.id),
      )
      .execute()
  return old.length
}

/** Deletes the secrets of erased webhooks; returns their number. */
export async function deleteOrphanedSecrets({ all }: TickContext): Promise<number> {
  const { numDeletedRows } = await all
    .deleteFrom('secrets')
    .where('table_name', '=', 'webhooks')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('webhooks')
            .select('webhooks.id')
            .where('webhooks.id', '=', sql.ref<Id<'webhooks'>>('secrets.row_id')),
        ),
      ),
    )
    .executeTakeFirstOrThrow()
  return Number(numDeletedRows)
}

type Pending = SelectQueryBuilder<Tables, 'webhook_deliveries', {}>

function pendingDeliveries(all: Database, webhookId: Id<'webhooks'>): Pending {
  return all
    .selectFrom('webhook_deliveries')
    .where('webhook_id', '=', webhookId)
    .where('status', '=', 'pending')
}

const firstInOrder = (query: Pending) =>
  query.selectAll().orderBy('change_seq').orderBy('id').limit(1)

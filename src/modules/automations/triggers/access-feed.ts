import { sql } from 'kysely'
import type { Kysely } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { itemResources, type Row } from '../../../records/resource.ts'
import { withTrash, type Viewer } from '../../../records/access-scope.ts'
import type { Tables } from '../../../db/tables.ts'
import type { AutomationRow, RunRow } from '../runs/access.ts'

// Work that becomes due for automations: changes not yet matched against them, and abandoned runs.

type Database = Kysely<Tables>
export type TriggerChangeRow = Pick<
  Row<'changes'>,
  | 'seq'
  | 'at'
  | 'call_id'
  | 'actor_id'
  | 'via'
  | 'op'
  | 'events_json'
  | 'item_type'
  | 'item_id'
  | 'project_id'
  | 'fields_json'
  | 'for_person_id'
  | 'run_id'
>
const changeColumns = [
  'seq',
  'at',
  'call_id',
  'actor_id',
  'via',
  'op',
  'events_json',
  'item_type',
  'item_id',
  'project_id',
  'fields_json',
  'for_person_id',
  'run_id',
] as const

function enabledAutomations(all: Database) {
  return all
    .selectFrom('automations')
    .where('automations.status', '=', 'enabled')
    .where('automations.deleted_at', 'is', null)
}

/** An organization with event automations and unprocessed changes. */
export async function orgWithTriggers(all: Database): Promise<Id<'orgs'> | undefined> {
  const row = await enabledAutomations(all)
    .where('automations.trigger_type', '=', 'event')
    .leftJoin('automation_feeds', 'automation_feeds.org_id', 'automations.org_id')
    .select('automations.org_id')
    .where(({ exists, selectFrom, fn, ref }) =>
      exists(
        selectFrom('changes')
          .select('changes.seq')
          .whereRef('changes.org_id', '=', 'automations.org_id')
          .where(
            'changes.seq',
            '>',
            fn.coalesce(ref('automation_feeds.seq'), ref('automations.since_seq')),
          ),
      ),
    )
    .limit(1)
    .executeTakeFirst()
  return row?.org_id
}

/** An automation with the change after which it follows events: the last one that enabled or restored it. */
export type EventAutomation = AutomationRow & { since: number }

/** Automations of an organization that follow events. */
export async function eventAutomations(
  { all }: TickContext,
  orgId: Id<'orgs'>,
): Promise<EventAutomation[]> {
  const rows = await enabledAutomations(all)
    .innerJoin('users', 'users.id', 'automations.owner_id')
    .where('users.status', '=', 'active')
    .where('automations.org_id', '=', orgId)
    .where('automations.trigger_type', '=', 'event')
    .selectAll('automations')
    .select((eb) =>
      eb
        .selectFrom('changes')
        .whereRef('changes.item_id', '=', 'automations.id')
        .where((eb) =>
          eb.or([
            eb('changes.op', '=', 'restored'),
            eb('changes.fields_json', 'like', '%"field":"status"%'),
          ]),
        )
        .select((eb) => eb.fn.max('changes.seq').as('seq'))
        .as('activated'),
    )
    .orderBy('automations.id')
    .execute()
  return rows.map(({ activated, ...row }) => ({
    ...row,
    since: Math.max(row.since_seq, Number(activated ?? 0)),
  }))
}

/** The next changes of an organization after its feed position, or after `from` if that is later. */
export async function nextTriggerChanges(
  { all }: TickContext,
  orgId: Id<'orgs'>,
  from: number,
  limit: number,
): Promise<TriggerChangeRow[]> {
  const feed = await all
    .selectFrom('automation_feeds')
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

/** Records the last change for which an organization's automations have their runs. */
export async function advanceTriggerFeed(
  { all }: TickContext,
  orgId: Id<'orgs'>,
  seq: number,
): Promise<void> {
  await all
    .insertInto('automation_feeds')
    .values({ org_id: orgId, seq })
    .onConflict((conflict) => conflict.column('org_id').doUpdateSet({ seq }))
    .execute()
}

/** Position of the newest change of the instance. */
export async function newestChange({ all }: Pick<TickContext, 'all'>): Promise<number> {
  const row = await all
    .selectFrom('changes')
    .select((eb) => eb.fn.max('seq').as('seq'))
    .executeTakeFirst()
  return Number(row?.seq ?? 0)
}

/** The same, read with the access scope of a call. */
export function newestChangeFor(viewer: Viewer): Promise<number> {
  return newestChange(withTrash(viewer))
}

/** A change by position, for display with a run. */
export function changeAt(reader: Viewer, seq: number): Promise<TriggerChangeRow | undefined> {
  return withTrash(reader)
    .all.selectFrom('changes')
    .select(changeColumns)
    .where('seq', '=', seq)
    .executeTakeFirst()
}

/** The run to which a change belongs. */
export function runBehind({ all }: TickContext, id: string): Promise<RunRow | undefined> {
  return all
    .selectFrom('automation_runs')
    .selectAll()
    .where('id', '=', id as Id<'automation_runs'>)
    .executeTakeFirst()
}

/**
 * Whether people outside caused a change: its call received their form answer, or created something from it (such
 * calls name the answer in run_id or by their idempotency key, which external callers cannot set for calls via
 * automation).
 */
export async function isFromOutside(
  { all }: TickContext,
  { call_id, run_id }: Pick<TriggerChangeRow, 'call_id' | 'run_id'>,
): Promise<boolean> {
  const responseChanges = await all
    .selectFrom('changes')
    .select('item_id')
    .where('call_id', '=', call_id)
    .where('item_type', '=', responseType)
    .limit(20)
    .execute()
  const call = await all
    .selectFrom('calls')
    .select('idempotency_key')
    .where('id', '=', call_id as Id<'calls'>)
    .where('transport', '=', 'automation')
    .executeTakeFirst()
  const responseId = /^form:(\w+)$/.exec(call?.idempotency_key ?? '')?.[1]
  const responseIds = [
    ...responseChanges.map((item) => item.item_id),
    ...[responseId, run_id].filter((id) => id?.startsWith('fre_')),
  ] as string[]
  const table = itemResources().find(
    (itemResource) => itemResource.definition.type === responseType,
  )?.table
  if (responseIds.length === 0 || table === undefined) return false
  const rows = (await all
    .selectFrom(table as 'form_responses')
    .select(['id', 'trust'])
    .where('id', 'in', responseIds as Id<'form_responses'>[])
    .execute()) as { trust: string }[]
  return rows.length === 0 || rows.some((row) => row.trust === 'external') // no rows: erased, so of unknown origin
}

const responseType = 'form_response'

/** Runs that must not continue: their automation is no longer enabled, or has been changed. */
export function staleRuns(all: Database, limit: number): Promise<RunRow[]> {
  return all
    .selectFrom('automation_runs')
    .leftJoin('automations', 'automations.id', 'automation_runs.automation_id')
    .selectAll('automation_runs')
    .where('automation_runs.ended_at', 'is', null)
    .where((eb) =>
      eb.or([
        eb('automations.id', 'is', null),
        eb('automations.status', '<>', 'enabled'),
        eb('automations.deleted_at', 'is not', null),
        eb('automations.plan_id', '<>', eb.ref('automation_runs.plan_id')),
      ]),
    )
    .limit(limit)
    .execute()
}

/** Runs waiting for a call that has been decided. */
export function runsWithDecidedCall(all: Database, limit: number): Promise<RunRow[]> {
  return all
    .selectFrom('automation_steps')
    .innerJoin('automation_runs', 'automation_runs.id', 'automation_steps.run_id')
    .leftJoin('approvals', 'approvals.id', 'automation_steps.approval_id')
    .selectAll('automation_runs')
    .where('automation_steps.approval_id', 'is not', null)
    .where('automation_steps.status', '=', 'waiting')
    .where('automation_runs.ended_at', 'is', null)
    .where((eb) => eb.or([eb('approvals.id', 'is', null), eb('approvals.state', '<>', 'pending')]))
    .limit(limit)
    .execute()
}

/** Overdue runs without a job. */
export function runsWithoutJob(
  { all }: TickContext,
  before: number,
  kind: string,
  limit: number,
): Promise<RunRow[]> {
  return all
    .selectFrom('automation_runs')
    .selectAll()
    .where('ended_at', 'is', null)
    .where('resume_at', '<=', before)
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('jobs')
            .select('jobs.id')
            .where('jobs.kind', '=', kind)
            .where('jobs.unique_key', '=', sql.ref<string>('automation_runs.id'))
            .where('jobs.finished_at', 'is', null),
        ),
      ),
    )
    .limit(limit)
    .execute()
}

/** Whether a run's job died of an internal error: another one would too. */
export async function hasDeadJob(
  { all }: TickContext,
  runId: string,
  kind: string,
): Promise<boolean> {
  const row = await all
    .selectFrom('jobs')
    .select('id')
    .where('kind', '=', kind)
    .where('unique_key', '=', runId)
    .where('state', '=', 'dead')
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

/** Enabled automations that may no longer act: their owner is not active, or the key that enabled them has ended. */
export function automationsWithoutRights(
  { all, now }: TickContext,
  limit: number,
): Promise<(AutomationRow & { owner_active: 0 | 1 })[]> {
  return enabledAutomations(all)
    .innerJoin('users', 'users.id', 'automations.owner_id')
    .leftJoin('api_keys', 'api_keys.id', 'automations.key_id')
    .selectAll('automations')
    .select((eb) =>
      eb
        .case()
        .when('users.status', '=', 'active')
        .then(1 as const)
        .else(0 as const)
        .end()
        .as('owner_active'),
    )
    .where((eb) =>
      eb.or([
        eb('users.status', '<>', 'active'),
        eb('api_keys.revoked_at', 'is not', null),
        eb('api_keys.expires_at', '<=', now),
      ]),
    )
    .limit(limit)
    .execute() as Promise<(AutomationRow & { owner_active: 0 | 1 })[]>
}

/** Enabled automations with a schedule trigger but no job schedule: the change that stopped them was undone. */
export function automationsWithoutSchedule(
  { all }: TickContext,
  limit: number,
): Promise<AutomationRow[]> {
  return enabledAutomations(all)
    .innerJoin('users', 'users.id', 'automations.owner_id')
    .where('users.status', '=', 'active')
    .where('automations.trigger_type', '=', 'schedule')
    .selectAll('automations')
    .where(({ not, exists, selectFrom }) =>
      not(
        exists(
          selectFrom('job_schedules')
            .select('job_schedules.id')
            .whereRef('job_schedules.org_id', '=', 'automations.org_id')
            .where('job_schedules.name', '=', sql.ref<string>('automations.id')),
        ),
      ),
    )
    .limit(limit)
    .execute()
}

/** The automation with a webhook trigger's address. */
export function automationOfHook(
  { all }: Pick<TickContext, 'all'>,
  hash: string,
): Promise<AutomationRow | undefined> {
  return enabledAutomations(all)
    .selectAll('automations')
    .where('automations.hook_hash', '=', hash)
    .executeTakeFirst()
}

/** Whether an id belongs to a webhook of this instance. */
export async function isOwnWebhook({ all }: TickContext, id: string): Promise<boolean> {
  return (
    (await all
      .selectFrom('webhooks')
      .select('id')
      .where('id', '=', id as Id<'webhooks'>)
      .executeTakeFirst()) !== undefined
  )
}

import type { Kysely } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { type Id, newId } from '../../../kernel/ids.ts'
import type { Cause, TickContext } from '../../../operations/jobs/tick.ts'
import { type Viewer, accessScopeOf, withTrash } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'

// Runs and their steps are internal rows, like jobs: not changes by anyone, and so without activity and events.

export type AutomationRow = Row<'automations'>
export type RunRow = Row<'automation_runs'>
type Database = Kysely<Tables>

/** Trigger of a run. */
export interface RunTrigger {
  type: RunRow['trigger_type']
  /** Deduplication key: the same source starts only one run. */
  source?: string | undefined
  event?: string
  change_seq?: number
  item?: { type: string; id: string } | undefined
  payload?: unknown
  /** The run whose change triggered it. */
  cause?: Pick<RunRow, 'id' | 'root_id' | 'depth'> | undefined
  held?: boolean
  /** Key that limits its rights; defaults to the one that enabled the automation. */
  key?: string | null
  /** Reason why it does not run at all. */
  skipped?: string
}

/** Inserts a run; undefined if one of the same source exists. */
export async function addRun(
  all: Database,
  now: number,
  automation: AutomationRow,
  trigger: RunTrigger,
): Promise<RunRow | undefined> {
  const id = newId<'automation_runs'>('run', now)
  const row: RunRow = {
    id,
    org_id: automation.org_id,
    automation_id: automation.id,
    automation_name: automation.name,
    owner_id: automation.owner_id,
    key_id: trigger.key === undefined ? automation.key_id : trigger.key,
    plan_id: automation.plan_id,
    trigger_type: trigger.type,
    source: trigger.source ?? null,
    event: trigger.event ?? null,
    change_seq: trigger.change_seq ?? null,
    item_type: trigger.item?.type ?? null,
    item_id: trigger.item?.id ?? null,
    payload_json:
      trigger.payload === undefined || trigger.skipped !== undefined
        ? null
        : JSON.stringify(trigger.payload),
    root_id: trigger.cause?.root_id ?? id,
    cause_run_id: trigger.cause?.id ?? null,
    depth: trigger.cause ? trigger.cause.depth + 1 : 0,
    held: trigger.held ? 1 : 0,
    status: trigger.skipped === undefined ? 'queued' : 'skipped',
    reason: trigger.skipped ?? null,
    conditions_json: null,
    resume_at: trigger.skipped === undefined ? now : null,
    created_at: now,
    updated_at: now,
    started_at: null,
    ended_at: trigger.skipped === undefined ? null : now,
  }
  const { numInsertedOrUpdatedRows } = await all
    .insertInto('automation_runs')
    .values(row)
    .onConflict((conflict) => conflict.doNothing())
    .executeTakeFirstOrThrow()
  if (numInsertedOrUpdatedRows === 0n) return undefined
  if (trigger.skipped !== undefined) await countRun(all, automation.id, 'skipped', id)
  return row
}

/** The same for a call: the caller has access to the automation. */
export function addRunFor(
  viewer: Viewer,
  automationRow: AutomationRow,
  trigger: RunTrigger,
): Promise<RunRow | undefined> {
  const { all, now } = accessScopeOf(viewer)
  return addRun(all, now, automationRow, trigger)
}

/** The cause of calls that a run makes. */
export function causeOfRun({ id, held }: Pick<RunRow, 'id' | 'held'>): Cause {
  return { run: id, held: held === 1, isExternal: held === 1 }
}

export function findRun({ all }: TickContext, id: string): Promise<RunRow | undefined> {
  return all
    .selectFrom('automation_runs')
    .selectAll()
    .where('id', '=', id as Id<'automation_runs'>)
    .executeTakeFirst()
}

export function findAutomation(
  { all }: TickContext,
  id: string,
): Promise<AutomationRow | undefined> {
  return all
    .selectFrom('automations')
    .selectAll()
    .where('id', '=', id as Id<'automations'>)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

export async function changeRun(
  { all, now }: TickContext,
  id: string,
  patch: Partial<RunRow>,
): Promise<void> {
  await all
    .updateTable('automation_runs')
    .set({ ...patch, updated_at: now })
    .where('id', '=', id as Id<'automation_runs'>)
    .execute()
}

/**
 * Ends a run unless it has already ended; returns whether it did. The answers of its steps are deleted, except for
 * those shown in the history.
 */
export async function endRun(
  { all, now }: TickContext,
  run: Pick<RunRow, 'id' | 'automation_id'>,
  status: 'succeeded' | 'failed' | 'skipped',
  reason?: string,
): Promise<boolean> {
  const patch = {
    status,
    reason: reason?.slice(0, 1000) ?? null,
    ended_at: now,
    updated_at: now,
    resume_at: null,
    payload_json: null,
  }
  const { numUpdatedRows } = await all
    .updateTable('automation_runs')
    .set(patch)
    .where('id', '=', run.id)
    .where('ended_at', 'is', null)
    .executeTakeFirstOrThrow()
  if (numUpdatedRows === 0n) return false
  await all
    .updateTable('automation_steps')
    .set({ params_json: null, value_json: null })
    .where('run_id', '=', run.id)
    .execute()
  const unfinishedSteps = all.updateTable('automation_steps').set({
    status: 'failed',
    ended_at: now,
    error_json: JSON.stringify({ code: 'cancelled', message: 'The run ended first.' }),
  })
  await unfinishedSteps
    .where('run_id', '=', run.id)
    .where('status', 'in', ['running', 'waiting'])
    .execute()
  await countRun(all, run.automation_id, status, run.id)
  return true
}

const counters = {
  succeeded: 'runs_succeeded',
  failed: 'runs_failed',
  skipped: 'runs_skipped',
} as const

async function countRun(
  all: Database,
  automationId: string,
  status: keyof typeof counters,
  runId: string,
): Promise<void> {
  const column = counters[status]
  await all
    .updateTable('automations')
    .set((eb) => ({ [column]: eb(column, '+', 1), last_run_id: runId }))
    .where('id', '=', automationId as Id<'automations'>)
    .execute()
}

/** Stores the number of consecutive failures without recording a change. */
export async function setFailureCount(
  { all }: TickContext,
  automationId: string,
  failures: number,
): Promise<void> {
  await all
    .updateTable('automations')
    .set({ failures })
    .where('id', '=', automationId as Id<'automations'>)
    .execute()
}

/**
 * Whether a call with this idempotency key of a run has already changed something: its answer may no longer be
 * stored.
 */
export async function hasChanged(
  { all }: TickContext,
  runId: string,
  idempotencyKey: string,
): Promise<boolean> {
  const row = await all
    .selectFrom('changes')
    .innerJoin('calls', 'calls.id', 'changes.call_id')
    .select('calls.id')
    .where('changes.run_id', '=', runId)
    .where('calls.idempotency_key', '=', idempotencyKey)
    .limit(1)
    .executeTakeFirst()
  return row !== undefined
}

export function approvalOf(
  { all }: TickContext,
  id: string,
): Promise<Pick<Row<'approvals'>, 'state' | 'expires_at' | 'result_json'> | undefined> {
  return all
    .selectFrom('approvals')
    .select(['state', 'expires_at', 'result_json'])
    .where('id', '=', id as Id<'approvals'>)
    .executeTakeFirst()
}

/** Items that a run changed, each once, in order, up to a limit. */
export async function itemsChangedBy(
  viewer: Viewer,
  runId: string,
  limit: number,
): Promise<{ type: string; id: string }[]> {
  const { all } = withTrash(viewer)
  const rows = await all
    .selectFrom('changes')
    .select(['item_type', 'item_id'])
    .where('run_id', '=', runId)
    .where('for_person_id', 'is', null)
    .orderBy('seq')
    .limit(limit * 10)
    .execute()
  const items = new Map(rows.map((row) => [row.item_id, { type: row.item_type, id: row.item_id }]))
  return [...items.values()].slice(0, limit)
}

/** Ids of the runs that led to a run, first to last. */
export async function causingRunIds(reader: Viewer, run: RunRow): Promise<string[]> {
  const { all } = accessScopeOf(reader)
  const ids: string[] = []
  for (let id = run.cause_run_id; id !== null && ids.length < 10; ) {
    ids.unshift(id)
    id =
      (
        await all
          .selectFrom('automation_runs')
          .select('cause_run_id')
          .where('id', '=', id as Id<'automation_runs'>)
          .executeTakeFirst()
      )?.cause_run_id ?? null
  }
  return ids
}

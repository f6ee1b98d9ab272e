import type { CatalogueView } from '../../../operations/entry.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { GiveUp, type JobContext } from '../../../operations/jobs/job.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { ItemRef } from '../../../records/resource.ts'
import { refsAnywhere } from '../../../records/item-refs.ts'
import { payloadsOf } from '../../activity/shapes.ts'
import { changeAt } from '../triggers/access-feed.ts'
import {
  changeRun,
  endRun,
  findAutomation,
  findRun,
  type AutomationRow,
  type RunRow,
} from './access.ts'
import { continueRun } from './continuations.ts'
import { itemLookupFor, type ItemLookup } from '../automations/item-lookups.ts'
import { changesByField, type TriggerData } from '../expressions/scopes.ts'

/** A started or resumed run with its trigger data. */
export interface StartedRun {
  run: RunRow
  automation: AutomationRow
  triggerData: TriggerData
  item: ItemRef | undefined
  /** Call that returns the complete item. */
  lookup: ItemLookup | undefined
  catalogue: CatalogueView
}

/** Starts or resumes a run; undefined if there is nothing to do now. */
export async function beginRun(
  system: TickContext,
  job: JobContext,
  runId: string,
): Promise<StartedRun | undefined> {
  const run = await findRun(system, runId)
  if (!run || run.ended_at !== null) return undefined
  if (job.owner !== run.owner_id) throw new GiveUp('A run continues only in the name of its owner.')
  if (run.resume_at! > system.now)
    return continueRun(system, run, run.resume_at!).then(() => undefined)
  const automation = await findAutomation(system, run.automation_id)
  if (automation?.status !== 'enabled' || automation.plan_id !== run.plan_id) {
    await endRun(
      system,
      run,
      run.status === 'queued' ? 'skipped' : 'failed',
      'The run ended because the automation was stopped, changed or deleted.',
    )
    return undefined
  }
  return system.as(run.owner_id, (ctx) => startRun(system, ctx, run, automation))
}

async function startRun(
  system: TickContext,
  ctx: WriteContext,
  run: RunRow,
  automation: AutomationRow,
): Promise<StartedRun | undefined> {
  const item =
    run.item_type === null || run.item_id === null
      ? undefined
      : (await refsAnywhere(ctx, [{ type: run.item_type, id: run.item_id }], ctx.baseUrl)).get(
          run.item_id,
        )
  if (run.item_id !== null && !item) {
    await endRun(
      system,
      run,
      run.status === 'queued' ? 'skipped' : 'failed',
      'The owner can no longer see the item that triggered it.',
    )
    return undefined
  }
  const runningColumns = { status: 'running' as const, started_at: run.started_at ?? system.now }
  await changeRun(system, run.id, runningColumns)
  return {
    run: { ...run, ...runningColumns },
    automation,
    item,
    triggerData: await triggerDataOf(ctx, run, automation, item),
    lookup: item && (await itemLookupFor(ctx, item)),
    catalogue: ctx.catalogue,
  }
}

async function triggerDataOf(
  ctx: WriteContext,
  run: RunRow,
  { id, name }: AutomationRow,
  item: ItemRef | undefined,
): Promise<TriggerData> {
  const payload =
    run.payload_json === null ? {} : (JSON.parse(run.payload_json) as Record<string, unknown>)
  const eventPayload = await webhookPayload(ctx, run, item)
  return {
    item: item ?? null,
    event:
      run.event === null
        ? null
        : { name: run.event, at: eventPayload?.at ?? null, via: eventPayload?.via ?? null },
    actor: eventPayload?.actor ?? null,
    changes: changesByField(eventPayload?.changes),
    trigger: { type: run.trigger_type, payload: run.trigger_type === 'webhook' ? payload : {} },
    input: run.trigger_type === 'manual' ? payload : {},
    automation: { id, name },
  }
}

/** The change in webhook format, limited to the owner's current visibility. */
async function webhookPayload(
  ctx: WriteContext,
  run: RunRow,
  item: ItemRef | undefined,
): Promise<Record<string, unknown> | undefined> {
  const change = run.change_seq === null || !item ? undefined : await changeAt(ctx, run.change_seq)
  return change && (await payloadsOf(ctx, [{ change, item: item! }])).get(change.seq)!(run.event!)
}

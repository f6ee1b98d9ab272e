import { omitUndefined } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { prefixOf } from '../../../kernel/ids.ts'
import { resourceByPrefix, type ItemRef, type Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { amongAnywhere, refsAnywhere } from '../../../records/item-refs.ts'
import { automationRun, automationStep } from '../access.ts'
import { causingRunIds, itemsChangedBy } from './access.ts'
import type { StepRow } from './access-steps.ts'
import { automationRefOf, presentRuns, type AutomationRun } from '../shapes.ts'

const maxItems = 200

/**
 * One run with its steps, its changes, and the runs that led to it. Inputs and answers of the actions are shown only
 * to the owner, and only as far as they concern items still visible to them.
 */
export async function presentFullRun(
  ctx: ReadContext,
  row: Row<'automation_runs'>,
): Promise<AutomationRun> {
  const [head] = await presentRuns(ctx, [row])
  const steps = await automationStep
    .of(ctx, [row.id])
    .selectAll('automation_steps')
    .orderBy('position')
    .execute()
  return {
    ...head!,
    chain: await chainOf(ctx, row),
    steps: await presentSteps(ctx, steps, row.owner_id === ctx.actor.id),
    changed_items: await changedItems(ctx, row),
  }
}

async function chainOf(ctx: ReadContext, row: Row<'automation_runs'>) {
  const ids = await causingRunIds(ctx, row)
  const rows = await automationRun.among(ctx, ids)
  return ids.flatMap((id) => {
    const item = rows.get(id)
    return item ? [{ run_id: id, automation: automationRefOf(item, ctx.baseUrl) }] : []
  })
}

async function changedItems(ctx: ReadContext, row: Row<'automation_runs'>): Promise<ItemRef[]> {
  const items = (await itemsChangedBy(ctx, row.id, maxItems)).filter(
    (item) => item.id !== row.automation_id,
  ) // changes of the automation itself, such as its suspension, are not effects of its actions
  const refs = await refsAnywhere(ctx, items, ctx.baseUrl)
  return items.flatMap((item) => refs.get(item.id) ?? [])
}

async function presentSteps(
  ctx: ReadContext,
  steps: readonly StepRow[],
  isOwn: boolean,
): Promise<NonNullable<AutomationRun['steps']>> {
  const itemIdsByPath = new Map(
    steps.map((step) => [step.path, JSON.parse(step.items_json) as string[]]),
  )
  const seen = isOwn
    ? await seenAmong(ctx, [...new Set([...itemIdsByPath.values()].flat())])
    : new Set<string>()
  return steps.map((step) => {
    const isVisible = isOwn && itemIdsByPath.get(step.path)!.every((id) => seen.has(id))
    return omitUndefined({
      path: step.path,
      action: step.action,
      status: step.status,
      attempts: step.attempts,
      input: isVisible ? (JSON.parse(step.input_json) as Record<string, unknown>) : {},
      output:
        isVisible && step.output_json !== null
          ? (JSON.parse(step.output_json) as unknown)
          : undefined,
      error: step.error_json === null ? undefined : errorOf(step.error_json, isVisible),
      approval_id:
        step.approval_id !== null && isOwn && step.status === 'waiting'
          ? step.approval_id
          : undefined,
      ended_at: step.ended_at === null ? undefined : iso(step.ended_at),
    })
  })
}

function errorOf(json: string, isVisible: boolean): { code: string; message: string } {
  const { code, message } = JSON.parse(json) as { code: string; message: string }
  return { code, message: isVisible ? message : '' }
}

/** Filters ids of items and parts of items to those that the reader may see, in the trash or not. */
async function seenAmong(ctx: ReadContext, ids: readonly string[]): Promise<Set<string>> {
  const seen = new Set<string>()
  for (const [resource, resourceIds] of Map.groupBy(ids, (id) => resourceByPrefix(prefixOf(id)))) {
    if (resource)
      for (const id of (await amongAnywhere(ctx, resource, resourceIds)).keys()) seen.add(id)
  }
  return seen
}

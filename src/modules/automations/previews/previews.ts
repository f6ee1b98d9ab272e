import { shape } from '../../../kernel/shape.ts'
import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { freeObject, datetimeString } from '../../../kernel/fields.ts'
import { anyItem, type AnyItem } from '../../../records/items.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { dayLength, iso } from '../../../kernel/time/times.ts'
import { ItemRef } from '../../../records/shapes.ts'
import { automation } from '../access.ts'
import type { AutomationRow } from '../runs/access.ts'
import { evaluate } from '../expressions/conditions.ts'
import { eventTriggerData, fullItem, pastEvents, type PastEvent } from './past-events.ts'
import { predictActions } from './predictions.ts'
import { runScope, type ExpressionScope, type TriggerData } from '../expressions/scopes.ts'
import {
  scopeNames,
  type AutomationAction,
  type AutomationCondition,
  type Trigger,
} from '../shapes.ts'
import { warningsOf } from '../automations/warnings.ts'

const maxReplayed = 50
/** Default number of days to look back for an event to dry-run against. */
const lookBackDays = 30

export const AutomationPreview = shape('AutomationPreview', {
  would_trigger: z.boolean(),
  held_against: z.string().describe('a sample, an item, a past event or nothing'),
  conditions: z.array(
    z.strictObject({
      text: z.string(),
      held: z.boolean(),
      value: z.unknown().optional(),
      error: z.string().optional(),
    }),
  ),
  actions: z.array(
    z.strictObject({
      path: z.string(),
      type: z.string(),
      would_do: z.string(),
      params: z
        .record(z.string(), z.unknown())
        .optional()
        .describe('with their templates filled in'),
      target: ItemRef.optional(),
      outbound: z.boolean(),
      problem: z.string().optional().describe('reason it would fail'),
    }),
  ),
  replay: z.array(
    z.strictObject({
      event: z.string(),
      at: datetimeString(),
      item: ItemRef,
      would_trigger: z.boolean(),
      error: z.string().optional(),
    }),
  ),
  warnings: z.array(z.string()),
})

export const testAutomation = operation({
  name: 'test_automation',
  searchHint: 'try out, simulate, rehearse, check a workflow before use',
  kind: 'read',
  rest: 'POST /api/automations/{automation_id}/test',
  about:
    'Dry run against a sample or past event: which conditions hold and what each action would do, changing nothing',
  on: { automation: automation.edit, item: anyItem.see.maybe },
  input: {
    sample: freeObject()
      .optional()
      .describe('its input, such as {"item": {…}, "changes": {…}}; omitted names are empty'),
    replay_days: z
      .int()
      .min(1)
      .max(90)
      .optional()
      .describe('replay this many days: which events would have triggered it, newest 50'),
  },
  output: AutomationPreview,
  weight: 5,
  async handle({ automation: row, item, sample, replay_days }, ctx) {
    const trigger = {
      type: row.trigger_type,
      params: JSON.parse(row.trigger_json) as Record<string, unknown>,
    }
    const conditions = JSON.parse(row.conditions_json) as AutomationCondition[]
    const actions = JSON.parse(row.actions_json) as AutomationAction[]
    const target = await dryRunTarget(ctx, row, trigger, sample, item)
    const { held, results } = await evaluate(conditions, target.scope)
    const predicted = await predictActions(ctx, actions, target.scope)
    const past =
      replay_days === undefined
        ? []
        : await pastEvents(
            ctx,
            trigger,
            row.owner_id,
            ctx.now - replay_days * dayLength,
            maxReplayed,
          )
    const replay = await replayEvents(ctx, row, conditions, past)
    return {
      would_trigger: target.matches && held,
      held_against: target.description,
      conditions: results.map((result) =>
        omitUndefined({
          ...result,
          value: 'value' in result ? result.value : undefined,
        }),
      ),
      actions: predicted,
      replay,
      warnings: [
        ...target.warnings,
        ...warningsOf(
          ctx,
          row,
          trigger,
          actions,
          predicted,
          replay_days === undefined ? undefined : replay,
        ),
      ],
    }
  },
})

interface DryRunTarget {
  description: string
  scope: ExpressionScope
  /** Whether the trigger would match. */
  matches: boolean
  warnings: string[]
}

async function dryRunTarget(
  ctx: ReadContext,
  row: AutomationRow,
  trigger: Trigger,
  sample: Record<string, unknown> | undefined,
  item: AnyItem | undefined,
): Promise<DryRunTarget> {
  if (sample && item)
    throw invalid('sample', 'cannot be combined with item_id.', 'Send one or the other.')
  if (sample)
    return {
      description: 'the sample',
      scope: { ...emptyScope(ctx, row, trigger), ...checkedSample(sample) },
      matches: true,
      warnings: [],
    }
  const [past] = await pastEvents(
    ctx,
    trigger,
    row.owner_id,
    ctx.now - lookBackDays * dayLength,
    1,
    item?.row.id,
  )
  if (past) {
    const description = `${past.event} of ${past.item.key ?? past.item.title}, ${iso(past.at)}; the item is shown as it is now`
    return {
      description,
      scope: { ...emptyScope(ctx, row, trigger), ...(await eventTriggerData(ctx, past)) },
      matches: true,
      warnings: [],
    }
  }
  if (item) return itemTarget(ctx, row, trigger, item)
  const warnings =
    trigger.type === 'event'
      ? [
          `No event of the last ${lookBackDays} days would have triggered it; send sample or item_id.`,
        ]
      : []
  return {
    description: 'nothing',
    scope: emptyScope(ctx, row, trigger),
    matches: trigger.type !== 'event',
    warnings,
  }
}

async function itemTarget(
  ctx: ReadContext,
  row: AutomationRow,
  trigger: Trigger,
  { resource, row: itemRow }: AnyItem,
): Promise<DryRunTarget> {
  const ref = resource.ref(itemRow, ctx.baseUrl)
  const event = trigger.type === 'event' ? (trigger.params.event as string) : undefined
  const warnings =
    event === undefined
      ? []
      : [
          `${ref.key ?? ref.title} has no ${event} event that passes the filter, so event and changes are empty.`,
        ]
  return {
    description: ref.key ?? ref.title,
    scope: { ...emptyScope(ctx, row, trigger), item: await fullItem(ctx, ref) },
    matches: event === undefined,
    warnings,
  }
}

function checkedSample(sample: Record<string, unknown>): Record<string, unknown> {
  if (Buffer.byteLength(JSON.stringify(sample)) > 256 * 1024)
    throw new Refusal('too_large', 'sample: larger than 256 KiB.', { field: 'sample' })
  const unknown = Object.keys(sample).find(
    (name) => !(scopeNames as readonly string[]).includes(name),
  )
  if (unknown !== undefined)
    throw invalid(
      `sample.${unknown}`,
      'is not available to automations.',
      `Available: ${scopeNames.join(', ')}.`,
    )
  return sample
}

function emptyScope(
  ctx: ReadContext,
  { id, name }: AutomationRow,
  { type }: Trigger,
): ExpressionScope {
  const triggerData: TriggerData = {
    item: null,
    event: null,
    actor: null,
    changes: {},
    trigger: { type, payload: {} },
    input: {},
    automation: { id, name },
  }
  return runScope(triggerData, [], iso(ctx.now))
}

async function replayEvents(
  ctx: ReadContext,
  row: AutomationRow,
  conditions: readonly AutomationCondition[],
  past: readonly PastEvent[],
): Promise<z.infer<typeof AutomationPreview>['replay']> {
  const replayed: z.infer<typeof AutomationPreview>['replay'] = []
  for (const item of past) {
    const triggerData = await eventTriggerData(ctx, item)
    const { held, results } = await evaluate(conditions, {
      ...emptyScope(ctx, row, { type: 'event', params: {} }),
      ...triggerData,
    })
    const error = results.find((result) => result.error !== undefined)?.error
    replayed.push(
      omitNullish({
        event: item.event,
        at: iso(item.at),
        item: item.item,
        would_trigger: held,
        error,
      }),
    )
  }
  return replayed
}

import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { freeObject, datetimeString } from '../../kernel/fields.ts'
import { iso } from '../../kernel/time/times.ts'
import type { Row } from '../../records/resource.ts'
import { refsAnywhere } from '../../records/item-refs.ts'
import { peopleRefs } from '../directory/shapes.ts'
import { common, commonOf, ItemRef, Ref } from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { automation, automationRun } from './access.ts'

const triggerTypes = ['event', 'schedule', 'webhook', 'manual'] as const
export const runStates = ['queued', 'running', 'succeeded', 'failed', 'skipped'] as const

/** Names that conditions and templates may use. */
export const scopeNames = [
  'item',
  'event',
  'actor',
  'changes',
  'now',
  'trigger',
  'input',
  'automation',
  'steps',
  'each',
  'index',
] as const

export const TriggerInput = z.strictObject({
  type: z.enum(triggerTypes),
  params: freeObject()
    .default({})
    .describe('event: {event, filter?}; schedule: {cron, timezone?}; webhook, manual: {}'),
})
export type Trigger = z.infer<typeof TriggerInput>

export const ConditionInput = shape('AutomationConditionInput', {
  type: z.literal('expression').default('expression'),
  expression: z
    .string()
    .min(1)
    .max(2000)
    .regex(/\S/, 'must not be blank')
    .describe('CEL, such as item.priority == "urgent"'),
})
export type AutomationCondition = z.infer<typeof ConditionInput>

export const ActionInput = shape('ActionInput', {
  type: z
    .string()
    .regex(/^[a-z][a-z0-9_]{0,79}$/, 'must be an operation, or wait, branch, for_each, stop')
    .describe('an operation such as create_task, or wait, branch, for_each, stop'),
  params: freeObject().default({}).describe('its arguments; texts may use {{ item.title }}'),
  on_error: z.enum(['stop', 'continue']).default('stop'),
  id: z
    .string()
    .regex(/^[a-z_][a-z0-9_]{0,39}$/, 'must be a name such as new_task')
    .optional()
    .describe('later actions use its result as steps.<id>'),
})
export type AutomationAction = z.infer<typeof ActionInput>

const StepError = shape('StepError', { code: z.string(), message: z.string() })

export const AutomationRun = shape('AutomationRun', {
  id: z.string(),
  url: z.string(),
  automation: Ref,
  status: z.enum(runStates),
  trigger: z.strictObject({ type: z.enum(triggerTypes), event: z.string().optional() }),
  trigger_item: ItemRef.optional(),
  created_at: datetimeString(),
  started_at: datetimeString().optional(),
  ended_at: datetimeString().optional(),
  duration_ms: z.int().optional(),
  resumes_at: datetimeString().optional().describe('while it waits'),
  reason: z.string().optional().describe('why it failed or was skipped'),
  conditions: z
    .array(z.strictObject({ text: z.string(), held: z.boolean(), error: z.string().optional() }))
    .optional(),
  depth: z.int().describe('runs that led to it'),
  held: z
    .boolean()
    .optional()
    .describe('triggered by people outside: outbound calls await its owner'),
  chain: z
    .array(z.strictObject({ run_id: z.string(), automation: Ref }))
    .optional()
    .describe('the runs that led to it, first one first, if visible to you'),
  steps: z
    .array(
      z.strictObject({
        path: z.string(),
        action: z.string(),
        status: z.enum(['running', 'waiting', 'succeeded', 'failed']),
        attempts: z.int(),
        input: z.record(z.string(), z.unknown()).describe('long texts as length and hash'),
        output: z.unknown().optional(),
        error: StepError.optional(),
        approval_id: z.string().optional().describe('awaits approval by its owner'),
        ended_at: datetimeString().optional(),
      }),
    )
    .optional(),
  changed_items: z.array(ItemRef).optional(),
})
export type AutomationRun = z.infer<typeof AutomationRun>

export const Automation = shape('Automation', {
  ...common,
  name: z.string(),
  owner: Ref,
  trigger: z.strictObject({
    type: z.enum(triggerTypes),
    params: z.record(z.string(), z.unknown()),
  }),
  conditions: z.array(ConditionInput),
  actions: z.array(ActionInput),
  status: z.enum(['disabled', 'enabled', 'suspended']),
  reason: z.string().optional().describe('why it is not enabled'),
  shared: z.boolean(),
  project: Ref.optional(),
  last_run: AutomationRun.optional(),
  run_counts: z.strictObject({ succeeded: z.int(), failed: z.int(), skipped: z.int() }),
  outbound: z.boolean().describe('sends something outside'),
  webhook_url: z.string().optional().describe('address to post to; shown only once'),
})
export type Automation = z.infer<typeof Automation>

type AutomationRow = Row<'automations'>
type RunRow = Row<'automation_runs'>

/** Automations in the form of responses, with owner, project and last run. */
export async function presentAutomations(
  ctx: ReadContext,
  rows: readonly AutomationRow[],
): Promise<Automation[]> {
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.owner_id, row.created_by]),
  )
  const projects = await project.among(
    ctx,
    rows.flatMap((row) => row.project_id ?? []),
  )
  const runs = await automationRun.among(
    ctx,
    rows.flatMap((row) => row.last_run_id ?? []),
  )
  const lastRuns = new Map(
    (await presentRuns(ctx, [...runs.values()])).map((presentRun) => [presentRun.id, presentRun]),
  )
  return rows.map((row) => {
    const linkedProject = row.project_id === null ? undefined : projects.get(row.project_id)
    const last = row.last_run_id === null ? undefined : lastRuns.get(row.last_run_id)
    return omitNullish({
      ...commonOf(row, automation.url(row, ctx.baseUrl), people),
      name: row.name,
      owner: people.get(row.owner_id) ?? { id: row.owner_id, title: '' },
      trigger: {
        type: row.trigger_type,
        params: JSON.parse(row.trigger_json) as Record<string, unknown>,
      },
      conditions: JSON.parse(row.conditions_json) as AutomationCondition[],
      actions: JSON.parse(row.actions_json) as AutomationAction[],
      status: row.status,
      reason: row.reason,
      shared: row.shared === 1,
      project: linkedProject
        ? {
            id: linkedProject.id,
            title: linkedProject.name,
            key: linkedProject.key,
            url: project.url(linkedProject, ctx.baseUrl),
          }
        : undefined,
      last_run: last,
      run_counts: {
        succeeded: row.runs_succeeded,
        failed: row.runs_failed,
        skipped: row.runs_skipped,
      },
      outbound: row.outbound === 1,
    })
  })
}

/** Runs for lists; steps and their changes are shown only with a single run. */
export async function presentRuns(
  ctx: ReadContext,
  rows: readonly RunRow[],
): Promise<AutomationRun[]> {
  const items = await itemsOf(ctx, rows)
  return rows.map((row) => {
    const item = row.item_id === null ? undefined : items.get(row.item_id)
    return omitNullish({
      id: row.id,
      url: automationRun.url(row, ctx.baseUrl),
      automation: automationRefOf(row, ctx.baseUrl),
      status: row.status,
      trigger: omitNullish({ type: row.trigger_type, event: row.event }),
      trigger_item: item,
      created_at: iso(row.created_at),
      started_at: row.started_at === null ? undefined : iso(row.started_at),
      ...(row.ended_at === null
        ? {}
        : omitNullish({
            ended_at: iso(row.ended_at),
            duration_ms: row.started_at === null ? undefined : row.ended_at - row.started_at,
          })),
      resumes_at:
        row.resume_at !== null && row.resume_at > ctx.now ? iso(row.resume_at) : undefined,
      reason: row.reason === null || row.owner_id !== ctx.actor.id ? undefined : row.reason,
      conditions:
        row.conditions_json === null || row.owner_id !== ctx.actor.id
          ? undefined
          : (JSON.parse(row.conditions_json) as { text: string; held: boolean }[]),
      depth: row.depth,
      held: row.held === 1 ? true : undefined,
    })
  })
}

/** The automation of a run, by its name at that time: it may be gone. */
export function automationRefOf(
  { automation_id, automation_name }: Pick<RunRow, 'automation_id' | 'automation_name'>,
  baseUrl: string,
): Ref {
  return {
    id: automation_id,
    title: automation_name,
    url: `${baseUrl}/automations/${automation_id}`,
  }
}

async function itemsOf(ctx: ReadContext, rows: readonly RunRow[]) {
  return refsAnywhere(
    ctx,
    rows.flatMap((row) =>
      row.item_type === null || row.item_id === null
        ? []
        : [{ type: row.item_type, id: row.item_id }],
    ),
    ctx.baseUrl,
  )
}

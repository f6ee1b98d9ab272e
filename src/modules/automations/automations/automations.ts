import { tokenHash } from '../../../keys/tokens.ts'
import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { paging, pageOf, shortText, title } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { newId } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { project } from '../../portfolio/access.ts'
import { automation } from '../access.ts'
import { newestChangeFor } from '../triggers/access-feed.ts'
import { scheduleAutomation } from '../triggers/schedules.ts'
import {
  checkConditions,
  checkedActions,
  checkedTrigger,
  checkRights,
  checkSize,
  maxActions,
  maxConditions,
} from './plans.ts'
import { hasOutboundAction } from './action-tools.ts'
import {
  ActionInput,
  Automation,
  ConditionInput,
  presentAutomations,
  TriggerInput,
  type AutomationAction,
  type AutomationCondition,
  type Trigger,
} from '../shapes.ts'

type AutomationRow = Row<'automations'>

const maxAutomations = 500
const maxSchedules = 100

export const listAutomations = operation({
  name: 'list_automations',
  searchHint: 'bots, workflows, rules',
  kind: 'read',
  rest: 'GET /api/automations',
  about: 'Your automations and shared ones with trigger, state and last result',
  input: {
    enabled: z.boolean().optional(),
    trigger: shortText(81)
      .optional()
      .describe('event, schedule, webhook or manual; or an event such as task.completed'),
    query: shortText(200).optional(),
    failing: z.boolean().optional().describe('true: suspended, or the last run failed'),
    ...paging,
  },
  output: pageOf(Automation),
  async handle({ enabled, trigger, query, failing, limit, cursor }, ctx) {
    let automationQuery = automation.visibleTo(ctx).selectAll('automations')
    if (enabled !== undefined)
      automationQuery = automationQuery.where('automations.status', enabled ? '=' : '<>', 'enabled')
    if (query) automationQuery = automationQuery.where(containsText(['automations.name'], query))
    if (trigger !== undefined)
      automationQuery = automationQuery.where((eb) =>
        trigger.includes('.')
          ? eb('automations.trigger_json', 'like', `{"event":${JSON.stringify(trigger)}%`)
          : eb('automations.trigger_type', '=', trigger as AutomationRow['trigger_type']),
      )
    if (failing !== undefined)
      automationQuery = automationQuery.where((eb) =>
        failing
          ? eb.or([eb('automations.failures', '>', 0), eb('automations.status', '=', 'suspended')])
          : eb.and([
              eb('automations.failures', '=', 0),
              eb('automations.status', '<>', 'suspended'),
            ]),
      )
    const page = await paged(automationQuery, [{ by: 'automations.id', as: 'id', dir: 'desc' }], {
      limit,
      cursor,
    })
    return pageWithItems(page, await presentAutomations(ctx, page.items))
  },
})

export const getAutomation = operation({
  name: 'get_automation',
  searchHint: 'show the workflow, what does the bot do',
  kind: 'read',
  rest: 'GET /api/automations/{automation_id}',
  about: 'One automation with trigger, conditions, actions and run counts',
  on: { automation: automation.see },
  output: Automation,
  handle: async ({ automation: row }, ctx) => presentAutomation(ctx, row),
})

const commonInput = {
  conditions: z.array(ConditionInput).max(maxConditions).optional().describe('all must be true'),
  shared: z
    .boolean()
    .optional()
    .describe(
      'true: visible to members of its project, or to everyone without a project; only you can change it',
    ),
}
const actions = () => z.array(ActionInput).min(1).max(maxActions)

export const createAutomation = operation({
  name: 'create_automation',
  searchHint:
    'when this happens do that, workflow, rule, bot, trigger, automatically, if then, ' +
    'every Friday do that, repeat automatically',
  kind: 'write',
  rest: 'POST /api/automations',
  about:
    "Create a disabled automation from trigger, conditions and actions; it will act with its owner's permissions",
  on: { project: project.see.maybe },
  input: { name: title(), trigger: TriggerInput, actions: actions(), ...commonInput },
  output: Automation,
  redactOnReplay: ['webhook_url'],
  async handle({ project, name, trigger, actions, conditions = [], shared = false }, ctx) {
    await checkAutomationCount(ctx)
    const checked = await checkedPlan(ctx, { trigger, conditions, actions })
    const hook = newWebhookToken(trigger)
    const row = await ctx.add('automations', {
      owner_id: ctx.actor.id,
      project_id: project?.id ?? null,
      name: name.trim(),
      ...automationColumns(ctx, checked),
      hook_hash: hook?.hash ?? null,
      shared: shared ? 1 : 0,
      status: 'disabled',
      since_seq: await newestChangeFor(ctx),
      failures: 0,
      runs_succeeded: 0,
      runs_failed: 0,
      runs_skipped: 0,
    })
    return presentWithWebhookUrl(ctx, row, hook)
  },
})

export const updateAutomation = operation({
  name: 'update_automation',
  searchHint: 'edit a workflow, change a bot',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/automations/{automation_id}',
  about: 'Change an automation; a change disables it until enabled again',
  on: { automation: automation.edit },
  input: {
    name: title().optional(),
    trigger: TriggerInput.optional(),
    actions: actions().optional(),
    ...commonInput,
  },
  output: Automation,
  redactOnReplay: ['webhook_url'],
  revision: 'automation',
  argumentHints: {
    enabled: 'enable_automation and disable_automation',
    project_id: 'create_automation: an automation keeps its project',
  },
  async handle({ automation: row, name, trigger, actions, conditions, shared }, ctx) {
    const before = planOf(row)
    const requestedPlan = {
      trigger: trigger ?? before.trigger,
      conditions: conditions ?? before.conditions,
      actions: actions ?? before.actions,
    }
    const checked =
      trigger || conditions || actions ? await checkedPlan(ctx, requestedPlan) : before
    const hook =
      trigger && row.trigger_type !== 'webhook' ? newWebhookToken(checked.trigger) : undefined
    const hook_hash = checked.trigger.type === 'webhook' ? (hook?.hash ?? row.hook_hash) : null
    const key_id = ctx.actor.key?.id ?? null // if undo enables it again, actions written with this key keep its rights
    const columns = isSamePlan(before, checked)
      ? {}
      : { ...automationColumns(ctx, checked), hook_hash, key_id }
    const patch = omitUndefined({
      ...columns,
      name: name?.trim(),
      shared: shared === undefined ? undefined : (Number(shared) as 0 | 1),
    })
    const changed = await ctx.change('automations', row, patch)
    const stopped =
      changed !== row && row.status === 'enabled'
        ? await stop(ctx, changed, 'it was changed; enable it again')
        : changed
    return presentWithWebhookUrl(ctx, stopped, hook)
  },
})

export const deleteAutomation = operation({
  name: 'delete_automation',
  searchHint: 'remove a bot, drop a workflow',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/automations/{automation_id}',
  about: 'Delete an automation; its run history is kept',
  on: { automation: automation.own },
  output: DeletedRef,
  async handle({ automation: row }, ctx) {
    const stopped = row.status === 'enabled' ? await stop(ctx, row, 'it was deleted') : row
    await ctx.trash('automations', stopped)
    return deletedRef(ctx, automation.ref(row, ctx.baseUrl))
  },
})

export const enableAutomation = operation({
  name: 'enable_automation',
  searchHint: 'turn on a bot, switch on, activate a workflow',
  kind: 'destructive',
  idempotent: true,
  rest: 'POST /api/automations/{automation_id}/enable',
  outboundLater: true,
  about: 'Enable an automation',
  on: { automation: automation.edit },
  output: Automation,
  async handle({ automation: row }, ctx) {
    const { trigger, actions } = planOf(row)
    checkRights(ctx, actions)
    if (row.status === 'enabled' && row.key_id === (ctx.actor.key?.id ?? null))
      return presentAutomation(ctx, row)
    if (trigger.type === 'schedule' && row.status !== 'enabled') await checkScheduleCount(ctx)
    const outbound = hasOutboundAction(ctx.catalogue, actions) ? 1 : 0 // operations may have become outbound since
    const enabled = await ctx.change('automations', row, {
      status: 'enabled',
      reason: null,
      outbound,
      key_id: ctx.actor.key?.id ?? null,
      since_seq: await newestChangeFor(ctx),
      failures: 0,
    })
    if (trigger.type === 'schedule') await scheduleAutomation(ctx, enabled)
    return presentAutomation(ctx, enabled)
  },
})

export const disableAutomation = operation({
  name: 'disable_automation',
  searchHint: 'turn off a bot, pause a workflow, switch off',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/automations/{automation_id}/disable',
  about: 'Disable an automation',
  on: { automation: automation.edit },
  input: { reason: shortText(500).optional() },
  output: Automation,
  async handle({ automation: row, reason }, ctx) {
    return presentAutomation(ctx, row.status === 'disabled' ? row : await stop(ctx, row, reason))
  },
})

async function presentAutomation(ctx: ReadContext, row: AutomationRow): Promise<Automation> {
  return (await presentAutomations(ctx, [row]))[0]!
}

interface Plan {
  trigger: Trigger
  conditions: AutomationCondition[]
  actions: AutomationAction[]
}

function planOf(row: AutomationRow): Plan {
  return {
    trigger: {
      type: row.trigger_type,
      params: JSON.parse(row.trigger_json) as Record<string, unknown>,
    },
    conditions: JSON.parse(row.conditions_json) as AutomationCondition[],
    actions: JSON.parse(row.actions_json) as AutomationAction[],
  }
}

async function checkedPlan(
  ctx: ReadContext,
  { trigger, conditions, actions }: Plan,
): Promise<Plan> {
  checkSize(trigger, conditions, actions)
  checkConditions(conditions)
  return {
    trigger: await checkedTrigger(ctx, trigger),
    conditions,
    actions: checkedActions(ctx, actions),
  }
}

function automationColumns(ctx: ReadContext, { trigger, conditions, actions }: Plan) {
  return {
    trigger_type: trigger.type,
    trigger_json: JSON.stringify(trigger.params),
    conditions_json: JSON.stringify(conditions),
    actions_json: JSON.stringify(actions),
    plan_id: newId('pln', ctx.now) as string,
    outbound: hasOutboundAction(ctx.catalogue, actions) ? (1 as const) : (0 as const),
  }
}

function isSamePlan(item: Plan, other: Plan): boolean {
  return JSON.stringify(item) === JSON.stringify(other)
}

/** Stops an automation. runs/maintenance.ts ends its runs soon after. */
async function stop(
  ctx: WriteContext,
  row: AutomationRow,
  reason: string | undefined,
): Promise<AutomationRow> {
  await ctx.unschedule(row.id)
  return ctx.change('automations', row, { status: 'disabled', reason: reason ?? null })
}

interface WebhookToken {
  token: string
  hash: string
}

function newWebhookToken({ type }: Trigger): WebhookToken | undefined {
  if (type !== 'webhook') return undefined
  const token = randomBytes(32).toString('base64url')
  return { token, hash: tokenHash(token) }
}

async function presentWithWebhookUrl(
  ctx: ReadContext,
  row: AutomationRow,
  hook: WebhookToken | undefined,
): Promise<Automation> {
  return omitNullish({
    ...(await presentAutomation(ctx, row)),
    webhook_url: hook ? `${ctx.baseUrl}/hooks/${hook.token}` : undefined,
  })
}

async function checkAutomationCount(ctx: ReadContext): Promise<void> {
  const { count } = await ownAutomations(ctx)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxAutomations)
    throw new Refusal(
      'conflict',
      `You have ${count} automations, the maximum per person.`,
      'Delete one with delete_automation.',
    )
}

async function checkScheduleCount(ctx: ReadContext): Promise<void> {
  const { count } = await ownAutomations(ctx)
    .where('automations.trigger_type', '=', 'schedule')
    .where('automations.status', '=', 'enabled')
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  if (count >= maxSchedules)
    throw invalid(
      'automation_id',
      `you have ${count} scheduled automations, the maximum per person.`,
      'Disable one with disable_automation.',
    )
}

function ownAutomations(ctx: ReadContext) {
  return automation.visibleTo(ctx).where('automations.owner_id', '=', ctx.actor.id)
}

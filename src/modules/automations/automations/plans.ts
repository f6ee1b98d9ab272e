import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { nextRun } from '../../../kernel/time/cron.ts'
import { timezone } from '../../../kernel/fields.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import { project } from '../../portfolio/access.ts'
import { checkExpression } from '../expressions/conditions.ts'
import { checkEvent } from '../triggers/event-matches.ts'
import { actionEntry, checkActionParams } from './action-tools.ts'
import {
  ActionInput,
  type AutomationAction,
  type AutomationCondition,
  type Trigger,
} from '../shapes.ts'
import { checkTemplates } from '../expressions/templates.ts'
import { allActions } from '../runs/traversal.ts'

// Validates an automation against the current catalogue before it is saved.

export const maxActions = 50
export const maxConditions = 20
const maxNesting = 5
const maxWaitMinutes = 30 * 24 * 60
/** Maximum bytes of trigger, conditions and actions together. */
const maxBytes = 64 * 1024

const expression = () => z.string().min(1).max(2000).regex(/\S/, 'must not be blank')
const actionList = () => z.array(ActionInput).min(1).max(maxActions)
const durationValue = () => z.int().min(0).max(maxWaitMinutes)

/** Steps that control a run and call no operation. */
export const controls = {
  wait: z
    .strictObject({
      minutes: durationValue().optional(),
      hours: durationValue().optional(),
      days: durationValue().optional(),
      until: z.string().min(1).max(500).optional().describe('a time; may be a template'),
    })
    .refine(
      (item) =>
        (item.until === undefined) !==
        (item.minutes === undefined && item.hours === undefined && item.days === undefined),
      'takes minutes, hours and days, or until',
    ),
  branch: z.strictObject({ if: expression(), then: actionList(), else: actionList().optional() }),
  for_each: z.strictObject({
    items: expression().describe('CEL that returns a list of at most 100'),
    do: actionList(),
  }),
  stop: z.strictObject({ reason: z.string().max(500).optional() }),
} as const
export type Control = keyof typeof controls

export const isControl = (type: string): type is Control => Object.hasOwn(controls, type)

export const EventParams = z.strictObject({
  event: z.string().max(81),
  filter: z
    .strictObject({
      project_ids: z.array(z.string().min(1).max(320)).min(1).max(50).optional(),
      fields: z
        .array(z.string().regex(/^[a-z_]{1,60}$/))
        .min(1)
        .max(30)
        .optional(),
      via: z
        .array(z.enum(['web', 'api', 'mcp', 'automation', 'sync', 'cli']))
        .min(1)
        .max(6)
        .optional(),
      by_others: z.boolean().optional(),
    })
    .optional(),
})
export const ScheduleParams = z.strictObject({
  cron: z.string().min(1).max(100),
  timezone: timezone().optional(),
})

/** The trigger in stored form: names as ids, explicit zone. @throws Refusal */
export async function checkedTrigger(
  ctx: ReadContext,
  { type, params }: Trigger,
): Promise<Trigger> {
  if (type === 'event') {
    const { event, filter } = parse(EventParams, params, 'trigger.params')
    checkEvent(ctx.catalogue, event, 'trigger.params.event')
    if (!filter?.project_ids) return { type, params: omitNullish({ event, filter }) }
    const projects = await project.requireAll(
      ctx,
      filter.project_ids,
      'see',
      'trigger.params.filter.project_ids',
    )
    return {
      type,
      params: { event, filter: { ...filter, project_ids: projects.map((row) => row.id) } },
    }
  }
  if (type !== 'schedule')
    return { type, params: parse(z.strictObject({}), params, 'trigger.params') }
  const { cron, timezone: zone = ctx.actor.timezone } = parse(
    ScheduleParams,
    params,
    'trigger.params',
  )
  if (nextTime(ctx, cron, zone) === null) throw invalid('trigger.params.cron', 'never occurs.')
  return { type, params: { cron, timezone: zone } }
}

function nextTime(ctx: ReadContext, cron: string, zone: string): number | null {
  try {
    return nextRun(cron, zone, ctx.now)
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    throw invalid('trigger.params.cron', error.message.replace(/^\w+: /, ''), error.more.hint)
  }
}

export function checkConditions(conditions: readonly AutomationCondition[]): void {
  if (conditions.length > maxConditions)
    throw invalid('conditions', `has more than ${maxConditions} conditions.`)
  for (const [i, condition] of conditions.entries())
    checkExpression(condition.expression, `conditions.${i}.expression`)
}

/**
 * The actions in stored form, with nested ones parsed. @throws Refusal if one is invalid, or exceeds the rights of
 * the caller's key
 */
export function checkedActions(
  ctx: ReadContext,
  actions: readonly AutomationAction[],
): AutomationAction[] {
  const parsed = actions.map((action, i) => checkedAction(ctx, action, `actions.${i}`, 0))
  const all = allActions(parsed)
  if (all.length > maxActions)
    throw invalid(
      'actions',
      `has ${all.length} actions including nested ones; the maximum is ${maxActions}.`,
    )
  const ids = all.flatMap((item) => item.action.id ?? [])
  const duplicate = ids.find((id, i) => ids.indexOf(id) !== i)
  if (duplicate !== undefined) throw invalid('actions', `two actions have the id ${duplicate}.`)
  return parsed
}

function checkedAction(
  ctx: ReadContext,
  action: AutomationAction,
  field: string,
  depth: number,
): AutomationAction {
  if (depth > maxNesting) throw invalid(field, `is nested more than ${maxNesting} levels deep.`)
  if (isControl(action.type)) return checkedControl(ctx, action, action.type, field, depth)
  checkOperation(ctx, action, field)
  return action
}

function checkedControl(
  ctx: ReadContext,
  action: AutomationAction,
  type: Control,
  field: string,
  depth: number,
): AutomationAction {
  const params = parse(
    controls[type] as z.ZodType<Record<string, unknown>>,
    action.params,
    `${field}.params`,
  )
  for (const name of ['if', 'items'] as const)
    if (name in params) checkExpression(params[name] as string, `${field}.params.${name}`)
  if (type === 'wait') checkWait(params, `${field}.params`)
  const nestedNames = (['then', 'else', 'do'] as const).filter((name) => params[name])
  const checked = nestedNames.map((name) => [
    name,
    (params[name] as AutomationAction[]).map((param, i) =>
      checkedAction(ctx, param, `${field}.params.${name}.${i}`, depth + 1),
    ),
  ])
  return { ...action, params: { ...params, ...Object.fromEntries(checked) } }
}

function checkWait(params: Record<string, unknown>, field: string): void {
  if (params.until !== undefined) return checkTemplates(params.until, `${field}.until`)
  const minutes = durationMinutes(params)
  if (minutes < 1 || minutes > maxWaitMinutes)
    throw invalid(field, 'must wait between one minute and 30 days.')
}

/** Total duration of a wait, in minutes. */
export function durationMinutes({
  minutes = 0,
  hours = 0,
  days = 0,
}: {
  minutes?: number
  hours?: number
  days?: number
}): number {
  return minutes + 60 * hours + 24 * 60 * days
}

function checkOperation(ctx: ReadContext, { type, params }: AutomationAction, field: string): void {
  const entry = actionEntry(ctx.catalogue, type)
  if (!entry)
    throw invalid(
      `${field}.type`,
      `unknown action ${JSON.stringify(type)}.`,
      'list_automation_catalog with kind "action" lists all actions.',
    )
  const refusal = ctx.refusalFor(entry)
  if (refusal)
    throw new Refusal('permission_denied', `${field}: ${refusal.message}`, {
      field,
      hint: 'An automation has only the rights of the key that creates it.',
    })
  for (const name of ['idempotency_key', 'dry_run'])
    if (name in params)
      throw invalid(
        `${field}.params.${name}`,
        'cannot be used in automations: each of their calls is made once.',
      )
  checkTemplates(params, `${field}.params`)
  checkActionParams(entry, params, `${field}.params`)
}

export function checkSize(...parts: unknown[]): void {
  const bytes = Buffer.byteLength(JSON.stringify(parts))
  if (bytes > maxBytes)
    throw new Refusal(
      'too_large',
      `Trigger, conditions and actions have ${bytes} bytes in total; the maximum is ${maxBytes}.`,
    )
}

/** Refuses actions beyond the rights of the key that enables or runs an automation. */
export function checkRights(ctx: ReadContext, actions: readonly AutomationAction[]): void {
  for (const { path, action } of allActions(actions)) {
    const entry = isControl(action.type) ? undefined : actionEntry(ctx.catalogue, action.type)
    const refusal = entry && ctx.refusalFor(entry)
    if (refusal)
      throw new Refusal(
        'permission_denied',
        `Action ${path}: ${refusal.message}`,
        'An automation has only the rights of the key that enables it.',
      )
  }
}

/** Names of the operations called by actions, without duplicates. */
export function operationsOf(actions: readonly AutomationAction[]): string[] {
  return [
    ...new Set(
      allActions(actions)
        .map((action) => action.action.type)
        .filter((type) => !isControl(type)),
    ),
  ]
}

function parse<T extends z.ZodType>(schema: T, value: unknown, field: string): z.output<T> {
  const parsed = schema.safeParse(value)
  if (parsed.success) return parsed.data
  const issue = parsed.error.issues[0]!
  const path = [field, ...issue.path].join('.')
  throw invalid(
    path,
    issue.code === 'unrecognized_keys' ? `unknown: ${issue.keys.join(', ')}.` : `${issue.message}.`,
  )
}

import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { pageOf, paging, title } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { mailAccount } from '../../accounts/access.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { emailRule } from '../access.ts'
import { beginSweep } from './access.ts'
import type { MailRuleAction } from './actions.ts'
import type { Conditions } from './conditions.ts'
import { actionsInput, checkRule, conditionsInput } from './inputs.ts'
import { presentRules } from './presenter.ts'
import { EmailRule } from '../shapes.ts'

const maxRules = 100

export const listEmailRules = operation({
  name: 'list_email_rules',
  searchHint: 'my filters, mail sorting',
  kind: 'read',
  rest: 'GET /api/email-rules',
  about: 'Own inbox rules in order with hit counts',
  on: { account: mailAccount.maybe },
  input: { enabled: z.boolean().optional(), ...paging },
  output: pageOf(EmailRule),
  async handle({ account, enabled, limit, cursor }, ctx) {
    let query = emailRule.visibleTo(ctx).selectAll('email_rules')
    if (account)
      query = query.where((eb) =>
        eb.or([
          eb('email_rules.account_id', '=', account.id),
          eb('email_rules.account_id', 'is', null),
        ]),
      )
    if (enabled !== undefined) query = query.where('email_rules.enabled', '=', enabled ? 1 : 0)
    const page = await paged(
      query,
      [
        { by: 'email_rules.position', as: 'position', dir: 'asc' },
        { by: 'email_rules.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentRules(ctx, page.items))
  },
})

export const createEmailRule = operation({
  name: 'create_email_rule',
  searchHint: 'filter, sort mail automatically, inbox rule, sieve',
  kind: 'write',
  rest: 'POST /api/email-rules',
  about:
    'Add a rule that labels, archives, moves, snoozes or makes a task of matching mail; rules cannot forward or send',
  on: { account: mailAccount.maybe.describe('only mail of this account; default: of all') },
  input: {
    name: title(),
    conditions: conditionsInput,
    actions: actionsInput,
    apply_to_existing: z
      .boolean()
      .default(false)
      .describe(
        'also apply it to existing mail; its tasks, snoozes and notifications are for new mail only',
      ),
    enabled: z.boolean().default(true),
  },
  output: EmailRule,
  async handle({ account, name, conditions, actions, apply_to_existing, enabled }, ctx) {
    if (apply_to_existing && !enabled)
      throw invalid(
        'apply_to_existing',
        'a disabled rule cannot be applied.',
        'Omit enabled, or send true.',
      )
    const others = await rulesByPosition(ctx)
    if (others.length >= maxRules)
      throw new Refusal('too_large', `There are ${maxRules} rules already.`, {
        hint: 'Delete some first (delete_email_rule).',
      })
    await checkRule(ctx, conditions, actions, account?.id ?? null)
    const row = await ctx.add('email_rules', {
      owner_id: ctx.actor.id,
      account_id: account?.id ?? null,
      name: name.trim(),
      position: (others.at(-1)?.position ?? 0) + 1,
      enabled: enabled ? 1 : 0,
      conditions_json: JSON.stringify(conditions),
      actions_json: JSON.stringify(actions),
      hits: 0,
    })
    if (apply_to_existing) await beginSweep(ctx, row)
    return (await presentRules(ctx, [row]))[0]!
  },
})

export const updateEmailRule = operation({
  name: 'update_email_rule',
  searchHint: 'change a filter, reorder filters, pause a filter',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/email-rules/{rule_id}',
  about: 'Change, reorder, enable or disable a rule',
  on: { rule: emailRule.edit },
  input: {
    name: title().optional(),
    conditions: conditionsInput.optional(),
    actions: actionsInput.optional(),
    position: z.int().min(1).max(maxRules).optional().describe('1: it runs first'),
    enabled: z.boolean().optional(),
  },
  output: EmailRule,
  async handle({ rule, name, conditions, actions, position, enabled }, ctx) {
    if ([name, conditions, actions, position, enabled].every((item) => item === undefined))
      throw invalid('name', 'no change is given.', 'Send at least one field.')
    if (conditions || actions)
      await checkRule(
        ctx,
        conditions ?? (JSON.parse(rule.conditions_json) as Conditions),
        actions ?? (JSON.parse(rule.actions_json) as MailRuleAction[]),
        rule.account_id,
      )
    const patch = omitUndefined({
      name: name === undefined ? undefined : name.trim(),
      conditions_json: conditions === undefined ? undefined : JSON.stringify(conditions),
      ...(actions === undefined ? {} : { actions_json: JSON.stringify(actions), problem: null }),
      ...(enabled === undefined ? {} : { enabled: enabled ? (1 as const) : (0 as const) }),
    })
    const changed = await ctx.change('email_rules', rule, patch)
    const row = position === undefined ? changed : await moveRule(ctx, changed, position)
    return (await presentRules(ctx, [row]))[0]!
  },
})

export const deleteEmailRule = operation({
  name: 'delete_email_rule',
  searchHint: 'remove a filter',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/email-rules/{rule_id}',
  about: 'Delete a rule',
  on: { rule: emailRule.own },
  output: DeletedRef,
  async handle({ rule }, ctx) {
    await ctx.trash('email_rules', rule)
    return deletedRef(ctx, emailRule.ref(rule, ctx.baseUrl))
  },
})

function rulesByPosition(ctx: ReadContext): Promise<Row<'email_rules'>[]> {
  return emailRule
    .visibleTo(ctx)
    .selectAll('email_rules')
    .orderBy('email_rules.position')
    .orderBy('email_rules.id')
    .execute()
}

/** Moves a rule to a position and renumbers the others; unchanged positions are not written. */
async function moveRule(
  ctx: WriteContext,
  rule: Row<'email_rules'>,
  position: number,
): Promise<Row<'email_rules'>> {
  const others = (await rulesByPosition(ctx)).filter((row) => row.id !== rule.id)
  const order = others.toSpliced(position - 1, 0, rule)
  let movedRule = rule
  for (const [i, orderedRule] of order.entries()) {
    const row = await ctx.change('email_rules', orderedRule, { position: i + 1 })
    if (orderedRule.id === rule.id) movedRule = row
  }
  return movedRule
}

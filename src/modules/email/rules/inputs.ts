import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { account } from '../../accounts/access.ts'
import { mailboxesOf, type Mailbox } from '../mailboxes/access-folders.ts'
import { checkActions, type MailRuleAction } from './actions.ts'
import { checkConditions, type Conditions } from './conditions.ts'
import { RuleAction, RuleCondition } from '../shapes.ts'

export const conditionsInput = z
  .strictObject({
    all: z.array(RuleCondition).max(30).optional(),
    any: z.array(RuleCondition).max(30).optional(),
  })
  .refine(
    ({ all = [], any = [] }) => all.length + any.length > 0,
    'needs at least one condition, in all or any: without one, every message would match',
  )
  .describe(
    'all of `all` hold, and one of `any`; op: contains, not_contains, equals, not_equals, starts_with, ends_with; matches_domain of people; is of list and has_attachment; greater_than, less_than of size_bytes',
  )
export const actionsInput = z
  .array(RuleAction)
  .min(1)
  .max(10)
  .describe(
    'params: label {label}; move {folder}; snooze {hours or until_reply}; create_task {project_id, title?}; notify {text?}; archive, mark_read and star take none',
  )

/** @throws Refusal if a condition is invalid, or an action is impossible in the rule's mailboxes */
export async function checkRule(
  ctx: ReadContext,
  conditions: Conditions,
  actions: readonly MailRuleAction[] | undefined,
  accountId: Row<'email_rules'>['account_id'],
): Promise<void> {
  checkConditions(conditions)
  if (actions) await checkActions(ctx, actions, await mailboxesFor(ctx, accountId))
}

/** The mailboxes to which a rule applies: one, or all of the caller's. */
async function mailboxesFor(
  ctx: ReadContext,
  accountId: Row<'email_rules'>['account_id'],
): Promise<Mailbox[]> {
  const accounts = await account
    .visibleTo(ctx)
    .select('accounts.id')
    .where('accounts.has_mail', '=', 1)
    .execute()
  const mailboxes = await mailboxesOf(
    ctx,
    accounts.map((item) => item.id).filter((id) => accountId === null || id === accountId),
  )
  return [...mailboxes.values()]
}

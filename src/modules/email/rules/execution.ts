import type { WriteContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { email } from '../access.ts'
import { mailFactsOf, recordHits } from './access.ts'
import { MailOrganizer } from '../messages/action-changes.ts'
import { applyRuleAction, ruleActionProblem, type MailRuleAction } from './actions.ts'
import { matches, needsBody, type Conditions } from './conditions.ts'

type Email = Row<'emails'>
type Rule = Row<'email_rules'>

export const conditionsOf = (rule: Rule) => JSON.parse(rule.conditions_json) as Conditions
export const actionsOf = (rule: Rule) => JSON.parse(rule.actions_json) as MailRuleAction[]

/** Applies a rule to messages: a failing action is recorded in the rule and does not prevent the others. */
export async function runRule(
  ctx: WriteContext,
  rule: Rule,
  rows: readonly Email[],
  actions: readonly MailRuleAction[] = actionsOf(rule),
): Promise<void> {
  const conditions = conditionsOf(rule)
  const facts = await mailFactsOf(ctx, rows, needsBody(conditions))
  const matching = rows.filter(
    (row) =>
      (rule.account_id === null || rule.account_id === row.account_id) &&
      matches(conditions, facts.get(row.id)!),
  )
  if (matching.length === 0) return
  const organizing = new MailOrganizer(ctx)
  await organizing.loadMailboxes(matching.map((row) => row.account_id))
  let problem: string | null = null
  for (const row of matching)
    for (const action of actions)
      problem = (await tryAction(ctx, action, row, organizing)) ?? problem
  await recordHits(ctx, rule, matching.length, problem)
}

async function tryAction(
  ctx: WriteContext,
  action: MailRuleAction,
  row: Email,
  organizing: MailOrganizer,
): Promise<string | undefined> {
  try {
    const current = await email.demand(ctx, row.id, 'edit', 'email_id') // an earlier action may have changed it
    await ctx.attempt(() => applyRuleAction(ctx, action, current, organizing))
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return ruleActionProblem(action, error)
  }
}

import type { WriteContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { email } from '../access.ts'
import { mailFactsOf, noteHits } from './access.ts'
import { Organizing } from '../messages/action-changes.ts'
import { applyRuleAction, ruleActionProblem, type MailRuleAction } from './actions.ts'
import { matches, needsBody, type Conditions } from './conditions.ts'

type Email = Row<'emails'>
type Rule = Row<'email_rules'>

export const conditionsOf = (rule: Rule) => JSON.parse(rule.conditions_json) as Conditions
export const actionsOf = (rule: Rule) => JSON.parse(rule.actions_json) as MailRuleAction[]

/** Holds messages against a rule, and does its actions to those that match: what fails is told with the rule, and hinders no other action. */
export async function runRule(
  ctx: WriteContext,
  rule: Rule,
  rows: readonly Email[],
  actions: readonly MailRuleAction[] = actionsOf(rule),
): Promise<void> {
  const conditions = conditionsOf(rule)
  const facts = await mailFactsOf(ctx, rows, needsBody(conditions))
  const hit = rows.filter(
    (row) =>
      (rule.account_id === null || rule.account_id === row.account_id) &&
      matches(conditions, facts.get(row.id)!),
  )
  if (hit.length === 0) return
  const organizing = new Organizing(ctx)
  await organizing.open(hit.map((row) => row.account_id))
  let problem: string | null = null
  for (const row of hit)
    for (const action of actions) problem = (await tried(ctx, action, row, organizing)) ?? problem
  await noteHits(ctx, rule, hit.length, problem)
}

async function tried(
  ctx: WriteContext,
  action: MailRuleAction,
  row: Email,
  organizing: Organizing,
): Promise<string | undefined> {
  try {
    const fresh = await email.demand(ctx, row.id, 'edit', 'email_id') // an action before it may have changed it
    await ctx.attempt(() => applyRuleAction(ctx, action, fresh, organizing))
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return ruleActionProblem(action, error)
  }
}

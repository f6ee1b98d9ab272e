import type { WriteContext } from '../../core/context.ts'
import { Refusal } from '../../core/refusal.ts'
import type { Row } from '../../core/resource.ts'
import { email } from './access.ts'
import { factsOf, noteHits } from './access-rules.ts'
import { Organizing } from './organizing-changes.ts'
import { act, problemOf, type Action } from './rule-actions.ts'
import { matches, needsBody, type Conditions } from './rule-conditions.ts'

type Email = Row<'emails'>
type Rule = Row<'email_rules'>

export const conditionsOf = (rule: Rule) => JSON.parse(rule.conditions_json) as Conditions
export const actionsOf = (rule: Rule) => JSON.parse(rule.actions_json) as Action[]

/** Holds messages against a rule, and does its actions to those that match: what fails is told with the rule, and hinders no other action. */
export async function runRule(
  ctx: WriteContext,
  rule: Rule,
  rows: readonly Email[],
  actions: readonly Action[] = actionsOf(rule),
): Promise<void> {
  const conditions = conditionsOf(rule)
  const facts = await factsOf(ctx, rows, needsBody(conditions))
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
  action: Action,
  row: Email,
  organizing: Organizing,
): Promise<string | undefined> {
  try {
    const fresh = await email.demand(ctx, row.id, 'edit', 'email_id') // an action before it may have changed it
    await ctx.attempt(() => act(ctx, action, fresh, organizing))
    return undefined
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    return problemOf(action, error)
  }
}

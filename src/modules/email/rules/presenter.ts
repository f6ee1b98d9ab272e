import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf } from '../../../records/shapes.ts'
import { emailRule } from '../access.ts'
import { actionsOf, conditionsOf } from './execution.ts'
import type { EmailRule } from '../shapes.ts'

export async function presentRules(
  ctx: ReadContext,
  rows: readonly Row<'email_rules'>[],
): Promise<z.input<typeof EmailRule>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, emailRule.url(row, ctx.baseUrl), people),
      account_id: row.account_id,
      name: row.name,
      position: row.position,
      enabled: row.enabled === 1,
      conditions: conditionsOf(row),
      actions: actionsOf(row),
      hits: row.hits,
      last_hit_at: row.last_hit_at === null ? undefined : iso(row.last_hit_at),
      problem: row.problem,
    }),
  )
}

import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { applyOrder, readPlace, writePlace } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { email } from '../access.ts'
import { mailFactsOf, eligibleEmails } from './access.ts'
import { matches, needsBody, type Conditions } from './conditions.ts'
import { actionsInput, checkRule, conditionsInput } from './inputs.ts'
import { Email } from '../shapes.ts'
import { presentEmails } from '../messages/presenter.ts'

const order = [
  { by: 'emails.received_at', as: 'received_at', dir: 'desc' },
  { by: 'emails.id', as: 'id', dir: 'desc' },
] as const

/** Messages checked per batch, and at most in one call. */
const batchSize = 500
const maxScanned = 5000

export const previewEmailRule = operation({
  name: 'preview_email_rule',
  searchHint: 'try a filter, what would it match',
  kind: 'read',
  weight: 5,
  rest: 'POST /api/email-rules/preview',
  about: 'Show which stored messages a rule would match, changing nothing',
  input: {
    conditions: conditionsInput,
    actions: actionsInput.optional().describe('checked as create_email_rule does'),
    after: datetime().optional().describe('only messages that came since'),
    ...paging,
  },
  output: pageOf(Email).describe(
    'a page may be short or empty although more follow: each looks at the next 5,000 messages',
  ),
  async handle({ conditions, actions, after, limit, cursor }, ctx) {
    await checkRule(ctx, conditions, actions, null)
    const since =
      after === undefined ? undefined : parseInstant(after, ctx.actor.timezone, 'start', 'after')
    const { found, next } = await matchingEmails(ctx, conditions, since, limit, cursor)
    return omitNullish({
      items: await presentEmails(ctx, found),
      has_more: next !== undefined,
      next_cursor: next
        ? writePlace(order, { received_at: next.received_at, id: next.id })
        : undefined,
    })
  },
})

/** The next matching messages, and the last one checked if there are more. */
async function matchingEmails(
  ctx: ReadContext,
  conditions: Conditions,
  since: number | undefined,
  limit: number,
  cursor: string | undefined,
): Promise<{ found: Row<'emails'>[]; next: Row<'emails'> | undefined }> {
  const affected: Row<'emails'>[] = []
  let place = cursor === undefined ? undefined : readPlace(order, cursor)
  let candidates = eligibleEmails(email.visibleTo(ctx), null)
  if (since !== undefined) candidates = candidates.where('emails.received_at', '>=', since)
  for (let checkedCount = 0; checkedCount < maxScanned; checkedCount += batchSize) {
    const rows = await applyOrder(candidates.selectAll('emails'), order, place)
      .limit(batchSize)
      .execute()
    const facts = await mailFactsOf(ctx, rows, needsBody(conditions))
    for (const [i, row] of rows.entries()) {
      if (!matches(conditions, facts.get(row.id)!)) continue
      affected.push(row)
      if (affected.length === limit)
        return {
          found: affected,
          next: i < rows.length - 1 || rows.length === batchSize ? row : undefined,
        }
    }
    if (rows.length < batchSize) return { found: affected, next: undefined }
    const last = rows.at(-1)!
    place = [last.received_at, last.id]
    if (checkedCount + batchSize >= maxScanned) return { found: affected, next: last }
  }
  return { found: affected, next: undefined }
}

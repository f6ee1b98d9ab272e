import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { applyOrder, readPlace, writePlace } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { email } from '../access.ts'
import { mailFactsOf, ruledOver } from './access.ts'
import { matches, needsBody, type Conditions } from './conditions.ts'
import { actionsInput, checkRule, conditionsInput } from './inputs.ts'
import { Email } from '../shapes.ts'
import { presentEmails } from '../messages/presenter.ts'

const order = [
  { by: 'emails.received_at', as: 'received_at', dir: 'desc' },
  { by: 'emails.id', as: 'id', dir: 'desc' },
] as const

/** Messages that are held against the conditions at once, and in one call. */
const piece = 500
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
    const { found, next } = await touched(ctx, conditions, since, limit, cursor)
    return omitNullish({
      items: await presentEmails(ctx, found),
      has_more: next !== undefined,
      next_cursor: next
        ? writePlace(order, { received_at: next.received_at, id: next.id })
        : undefined,
    })
  },
})

/** The next messages that match, and the last one that was looked at, where there are more behind it. */
async function touched(
  ctx: ReadContext,
  conditions: Conditions,
  since: number | undefined,
  limit: number,
  cursor: string | undefined,
): Promise<{ found: Row<'emails'>[]; next: Row<'emails'> | undefined }> {
  const affected: Row<'emails'>[] = []
  let place = cursor === undefined ? undefined : readPlace(order, cursor)
  let candidates = ruledOver(email.visibleTo(ctx), null)
  if (since !== undefined) candidates = candidates.where('emails.received_at', '>=', since)
  for (let looked = 0; looked < maxScanned; looked += piece) {
    const rows = await applyOrder(candidates.selectAll('emails'), order, place)
      .limit(piece)
      .execute()
    const facts = await mailFactsOf(ctx, rows, needsBody(conditions))
    for (const [i, row] of rows.entries()) {
      if (!matches(conditions, facts.get(row.id)!)) continue
      affected.push(row)
      if (affected.length === limit)
        return {
          found: affected,
          next: i < rows.length - 1 || rows.length === piece ? row : undefined,
        }
    }
    if (rows.length < piece) return { found: affected, next: undefined }
    const last = rows.at(-1)!
    place = [last.received_at, last.id]
    if (looked + piece >= maxScanned) return { found: affected, next: last }
  }
  return { found: affected, next: undefined }
}

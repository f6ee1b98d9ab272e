import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { day, datetimeString } from '../../../kernel/fields.ts'
import { applyOrder } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { dayLength, iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { common, commonOf, Ref, trust, trustOf } from '../../../records/shapes.ts'
import { contactsByEmail, deal, dealContact, dealMove } from '../access.ts'
import { lastInteractionTimes } from './access.ts'
import { companyRefs, contactRefs, refIn } from '../refs.ts'

export const dealStates = ['open', 'won', 'lost'] as const

/** A deal in lists. */
export const Deal = shape('Deal', {
  ...common,
  name: z.string(),
  company: Ref.optional(),
  contacts: z.array(Ref),
  stage: z
    .string()
    .describe('one of the deal_stages of the organization; for a closed deal, its last stage'),
  status: z.enum(dealStates),
  lost_reason: z.string().optional(),
  amount: z.number().optional(),
  currency: z.string(),
  expected_close_on: day().optional(),
  closed_at: datetimeString().optional(),
  owner: Ref,
  stage_history: z
    .array(z.strictObject({ stage: z.string(), at: datetimeString(), status: z.enum(dealStates) }))
    .describe('oldest first; an entry with status won or lost is when the deal was closed'),
  stale_days: z
    .int()
    .describe('full days since it entered its stage or had an interaction; 0 if closed'),
  note: z.string().optional(),
  trust,
})
export type DealShape = z.infer<typeof Deal>

/** Deals for results, with a fixed number of queries. The rows are already visible. */
export async function presentDeals(
  ctx: ReadContext,
  rows: readonly Row<'deals'>[],
): Promise<DealShape[]> {
  if (rows.length === 0) return []
  const ids = rows.map((row) => row.id)
  const contactLinks = await dealContact
    .of(ctx, ids)
    .selectAll('deal_contacts')
    .orderBy('deal_contacts.added_at')
    .orderBy('deal_contacts.contact_id')
    .execute()
  const contacts = await contactRefs(
    ctx,
    contactLinks.map((item) => item.contact_id),
  )
  const companies = await companyRefs(
    ctx,
    rows.map((row) => row.company_id),
  )
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.created_by, row.owner_id]),
  )
  const moves = Map.groupBy(
    await dealMove.of(ctx, ids).selectAll('deal_moves').orderBy('deal_moves.position').execute(),
    (row) => row.deal_id,
  )
  const lastInteractions = await lastInteractionTimes(ctx, ids)
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, deal.url(row, ctx.baseUrl), people),
      name: row.name,
      ...refIn('company', companies, row.company_id),
      contacts: contactLinks
        .filter((item) => item.deal_id === row.id)
        .flatMap((item) => contacts.get(item.contact_id) ?? []),
      stage: row.stage,
      status: row.status,
      lost_reason: row.lost_reason,
      amount: row.amount,
      currency: row.currency,
      expected_close_on: row.expected_close_on,
      closed_at: row.closed_at === null ? undefined : iso(row.closed_at),
      owner: people.get(row.owner_id)!,
      stage_history: (moves.get(row.id) ?? []).map((item) => ({
        stage: item.stage,
        at: iso(item.at),
        status: item.status,
      })),
      stale_days: row.status === 'open' ? staleDays(ctx.now, row, lastInteractions.get(row.id)) : 0,
      note: row.note,
      ...trustOf(row.trust === 'external'),
    }),
  )
}

function staleDays(
  now: number,
  { stage_since_at }: Row<'deals'>,
  lastInteractionAt: number | undefined,
): number {
  return Math.max(
    0,
    Math.floor((now - Math.max(stage_since_at, lastInteractionAt ?? 0)) / dayLength),
  )
}

/** Open deals with people who have one of these addresses, or with their companies, nearest expected close first. */
export async function presentOpenDealsWith(
  ctx: ReadContext,
  emails: readonly string[],
  limit: number,
): Promise<DealShape[]> {
  const contacts = [...(await contactsByEmail(ctx, emails)).values()]
  if (contacts.length === 0) return []
  const ids = contacts.map((item) => item.id)
  const companies = contacts.flatMap((item) => item.company_id ?? [])
  const open = deal
    .visibleTo(ctx)
    .where('deals.status', '=', 'open')
    .where((eb) =>
      eb.or([
        eb(
          'deals.id',
          'in',
          dealContact.of(ctx, ids, 'contact_id').select('deal_contacts.deal_id'),
        ),
        ...(companies.length > 0 ? [eb('deals.company_id', 'in', companies)] : []),
      ]),
    )
  const rows = await applyOrder(open.selectAll('deals'), [
    { by: 'deals.expected_close_on', as: 'expected_close_on', dir: 'asc', nullable: true },
    { by: 'deals.id', as: 'id', dir: 'asc' },
  ])
    .limit(limit)
    .execute()
  return presentDeals(ctx, rows)
}

import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { date, pageOf, paging, secret, shortText, title } from '../../../kernel/fields.ts'
import { applyFilters } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { SectionCuts } from '../../../records/section-cuts.ts'
import { paged, pageWithItems, type Order } from '../../../records/paging.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef, Truncated } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { company, contact, deal } from '../access.ts'
import { requireNotGuest, requireOwner, noteInput } from '../contacts/fields.ts'
import {
  addMove,
  companyIdFor,
  requireContactOfCompany,
  recordMove,
  setContacts,
  statusPatch,
  dealValue,
} from './changes.ts'
import { dealFilters } from './filters.ts'
import { resolveStage, stagesOf } from './stages.ts'
import { amountInput, currencyInput } from './money.ts'
import { Deal, dealStates, presentDeals, type DealShape } from './shapes.ts'
import { Interaction } from '../interactions/interaction.ts'
import type { InteractionShape } from '../interactions/interaction.ts'

const maxContacts = 100
const maxInteractions = 25

const byExpectedClose: Order[] = [
  { by: 'deals.expected_close_on', as: 'expected_close_on', dir: 'asc', nullable: true },
  { by: 'deals.id', as: 'id', dir: 'asc' },
]
const newestFirst: Order[] = [{ by: 'deals.id', as: 'id', dir: 'desc' }]

const statusInput = z.enum(dealStates)
const reasonInput = () => secret(shortText(2000))

export const listDeals = operation({
  name: 'list_deals',
  searchHint: 'opportunities, sales, pipeline, prospects, open quotes',
  kind: 'read',
  rest: 'GET /api/deals',
  about: 'Deals by stage, owner, company or expected close',
  on: dealFilters.on,
  input: { ...dealFilters.input, ...paging },
  output: pageOf(Deal),
  async handle({ limit, cursor, ...filter }, ctx) {
    const { status, stale_days } = filter
    const query = await applyFilters(ctx, deal.visibleTo(ctx), dealFilters, filter)
    const isOpenOnly = stale_days !== undefined || status?.every((item) => item === 'open')
    const page = await paged(query.selectAll('deals'), isOpenOnly ? byExpectedClose : newestFirst, {
      limit,
      cursor,
    })
    return pageWithItems(page, await presentDeals(ctx, page.items))
  },
})

const DealDetail = Deal.extend({
  interactions: z.array(Interaction).optional().describe('the latest interactions logged with it'),
  truncated: Truncated.optional(),
})

export const getDeal = operation({
  name: 'get_deal',
  searchHint: 'opportunity details, state of a sale',
  kind: 'read',
  rest: 'GET /api/deals/{deal_id}',
  about: 'One deal with contacts, company, stage history and visible interactions',
  on: { deal: deal.see },
  output: DealDetail,
  async handle({ deal: row }, ctx) {
    const { items, has_more } = await ctx.call<{ items: InteractionShape[]; has_more: boolean }>(
      'list_interactions',
      { deal_id: row.id, limit: maxInteractions },
    )
    const cuts = new SectionCuts()
    cuts.note('interactions', has_more, 'list_interactions')
    return { ...(await presentDeal(ctx, row)), interactions: items, ...cuts.report() }
  },
})

export const createDeal = operation({
  name: 'create_deal',
  searchHint: 'opportunity, sale, new lead, prospect, quote',
  kind: 'write',
  rest: 'POST /api/deals',
  about: 'Open a deal in the pipeline',
  on: {
    company: company.see.maybe.describe('default: the company all contacts share'),
    contacts: contact.see.many.maybe,
    owner: person.see.maybe.describe('default: you'),
  },
  input: {
    name: title(),
    stage: z
      .string()
      .min(1)
      .max(200)
      .optional()
      .describe('default: first of the deal_stages of the organization'),
    amount: amountInput().optional().describe('in units of the currency'),
    currency: currencyInput()
      .optional()
      .describe('ISO 4217 code; default: the currency of this workspace'),
    expected_close_on: date().optional(),
    note: noteInput().optional(),
  },
  output: Deal,
  async handle(
    { company, contacts = [], owner, name, stage, amount, currency, expected_close_on, note },
    ctx,
  ) {
    requireNotGuest(ctx)
    requireContactLimit(contacts)
    if (owner) requireOwner(owner)
    const row = await ctx.add('deals', {
      name: name.trim(),
      company_id: companyIdFor(company, contacts),
      stage: await initialStage(ctx, stage),
      status: 'open',
      ...dealValue({ amount: null, currency: ctx.settings.currency }, { amount, currency }),
      expected_close_on: expected_close_on ?? null,
      owner_id: owner?.id ?? ctx.actor.id,
      note: note || null,
      stage_since_at: ctx.now,
    })
    await addMove(ctx, row)
    await setContacts(ctx, row, contacts)
    notifyDealOwner(ctx, row)
    return presentDeal(ctx, row)
  },
})

async function initialStage(ctx: ReadContext, requestedStage: string | undefined): Promise<string> {
  const stages = await stagesOf(ctx)
  if (requestedStage !== undefined) return resolveStage(stages, requestedStage)
  if (stages[0] !== undefined) return stages[0]
  throw new Refusal(
    'conflict',
    'The organization has no deal stages.',
    'An administrator can set deal_stages.',
  )
}

export const updateDeal = operation({
  name: 'update_deal',
  searchHint: 'won, lost, close a sale, move to the next stage, change the amount',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/deals/{deal_id}',
  about: 'Move a deal to a stage, change its value, or win or lose it with a reason',
  on: {
    deal: deal.edit,
    owner: person.see.maybe,
    contacts: contact.see.many.maybe.describe('the complete list'),
  },
  input: {
    name: title().optional(),
    stage: z.string().min(1).max(200).optional().describe('name of a pipeline stage'),
    status: statusInput.optional().describe('open reopens a closed deal'),
    lost_reason: reasonInput().optional().describe('required with status lost'),
    amount: amountInput().nullable().optional(),
    currency: currencyInput().optional(),
    expected_close_on: date().nullable().optional(),
  },
  revision: 'deal',
  output: Deal,
  async handle(
    { deal: row, owner, contacts, name, expected_close_on, amount, currency, ...statusChange },
    ctx,
  ) {
    if (owner && owner.id !== row.owner_id) requireOwner(owner)
    if (contacts) await requireAllowedContacts(ctx, row, contacts)
    const changed = await ctx.change(
      'deals',
      row,
      omitUndefined({
        name: name === undefined ? undefined : name.trim(),
        ...(await statusPatch(ctx, row, statusChange)),
        ...(amount === undefined && currency === undefined
          ? {}
          : dealValue(row, { amount, currency })),
        expected_close_on,
        owner_id: owner ? owner.id : undefined,
      }),
    )
    await recordMove(ctx, row, changed)
    if (contacts) await setContacts(ctx, changed, contacts)
    if (changed.owner_id !== row.owner_id) notifyDealOwner(ctx, changed)
    else if (changed.status !== row.status)
      ctx.notify(
        'comment',
        [changed.owner_id],
        'deals',
        changed,
        `${ctx.actor.display_name} ${changed.status === 'open' ? 'reopened your deal' : `marked your deal as ${changed.status}`}`,
      )
    return presentDeal(ctx, (await deal.among(ctx, [row.id])).get(row.id)!)
  },
})

export const deleteDeal = operation({
  name: 'delete_deal',
  searchHint: 'remove an opportunity, remove a sale entered by mistake',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/deals/{deal_id}',
  about: 'Move a deal to the trash; to close it, use update_deal with status won or lost',
  on: { deal: deal.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ deal: row }, ctx) {
    await ctx.trash('deals', row)
    return deletedRef(ctx, deal.ref(row, ctx.baseUrl))
  },
})

async function requireAllowedContacts(
  ctx: ReadContext,
  row: Row<'deals'>,
  people: readonly Row<'contacts'>[],
): Promise<void> {
  requireContactLimit(people)
  const companyRow =
    row.company_id === null
      ? undefined
      : (await company.among(ctx, [row.company_id])).get(row.company_id)
  if (companyRow) requireContactOfCompany(companyRow.id, companyRow.name, people)
}

function requireContactLimit(people: readonly Row<'contacts'>[]): void {
  if (people.length > maxContacts)
    throw invalid(
      'contact_ids',
      `a deal can have at most ${maxContacts} contacts; you sent ${people.length}.`,
    )
}

function notifyDealOwner(ctx: WriteContext, row: Row<'deals'>): void {
  ctx.notify(
    'assignment',
    [row.owner_id],
    'deals',
    row,
    `${ctx.actor.display_name} made you the owner of a deal`,
  )
}

async function presentDeal(ctx: ReadContext, row: Row<'deals'>): Promise<DealShape> {
  return (await presentDeals(ctx, [row]))[0]!
}

import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dealContact, dealMove } from '../access.ts'
import { readStage, stagesOf } from './stages.ts'
import { readAmount, readCurrency } from './money.ts'

type Deal = Row<'deals'>
type Patch = Partial<Deal>

export interface StepInput {
  stage?: string | undefined
  status?: 'open' | 'won' | 'lost' | undefined
  lost_reason?: string | undefined
}

/**
 * Columns that a move of a deal changes: open (any stage ↔ any stage) → won | lost; won | lost → open.
 * @throws Refusal where it cannot take that step
 */
export async function stepOf(
  ctx: ReadContext,
  row: Deal,
  { stage: requestedStage, status = row.status, lost_reason }: StepInput,
): Promise<Patch> {
  const stage =
    requestedStage === undefined ? row.stage : readStage(await stagesOf(ctx), requestedStage)
  const closes = status !== 'open'
  if (row.status !== 'open' && closes && status !== row.status)
    throw closedAlready(row, `Reopen it (status open) before it can be ${status}.`)
  if (row.status !== 'open' && closes && stage !== row.stage)
    throw closedAlready(row, 'To reopen it, send status open with the stage.')
  const reason = lost_reason?.trim()
  if (reason !== undefined && status !== 'lost')
    throw invalid('lost_reason', 'only lost deals have a reason.', 'Send it with status lost.')
  if (status === 'lost' && !reason && row.lost_reason === null)
    throw invalid(
      'lost_reason',
      'a reason is required for a lost deal.',
      'Send lost_reason with status lost.',
    )
  const moves = stage !== row.stage || (row.status !== 'open' && !closes)
  return {
    stage,
    status,
    lost_reason: status === 'lost' ? reason || row.lost_reason : null,
    closed_at: closes ? (row.closed_at ?? ctx.now) : null,
    stage_since_at: moves ? ctx.now : row.stage_since_at,
  }
}

function closedAlready({ status, name }: Deal, hint: string): Refusal {
  return new Refusal('conflict', `"${name}" is ${status}.`, { field: 'status', hint })
}

/** Amount and currency, in a currency's own coins. @throws Refusal */
export function dealValue(
  row: Pick<Deal, 'amount' | 'currency'>,
  input: { amount?: number | null | undefined; currency?: string | undefined },
): Pick<Deal, 'amount' | 'currency'> {
  const currency = input.currency === undefined ? row.currency : readCurrency(input.currency)
  const amount = input.amount === undefined ? row.amount : input.amount
  return { currency, amount: amount === null ? null : readAmount(amount, currency) }
}

/** Writes down where a deal is now, and names the events of it. */
export async function recordMove(ctx: WriteContext, before: Deal, row: Deal): Promise<void> {
  if (row.stage === before.stage && row.status === before.status) return
  await addMove(ctx, row)
  if (row.stage !== before.stage) ctx.event('deal.stage_changed', 'deals', row)
  if (row.status !== before.status && row.status !== 'open')
    ctx.event(`deal.${row.status}`, 'deals', row)
}

/** One more entry of the stage history. */
export async function addMove(ctx: WriteContext, { id, stage, status }: Deal): Promise<void> {
  const last = await dealMove
    .of(ctx, [id])
    .select((eb) => eb.fn.max('deal_moves.position').as('position'))
    .executeTakeFirst()
  await ctx.add('deal_moves', {
    deal_id: id,
    position: Number(last?.position ?? 0) + 1,
    stage,
    status,
    at: ctx.now,
  })
}

/**
 * The company of a deal with these people. People of other companies (agencies, lawyers) may be on it, but not they alone.
 * @throws Refusal invalid_argument where no one of the company that was named is among them, and others are
 */
export function companyFor(
  company: Row<'companies'> | undefined,
  people: readonly Row<'contacts'>[],
): Deal['company_id'] {
  const companyIds = new Set(people.flatMap((person) => person.company_id ?? []))
  if (!company) return companyIds.size === 1 ? [...companyIds][0]! : null
  requireFit(company.id, company.name, people)
  return company.id
}

/** @throws Refusal invalid_argument */
export function requireFit(
  companyId: string,
  name: string,
  people: readonly Row<'contacts'>[],
): void {
  const elsewhere = people.filter(
    (person) => person.company_id !== null && person.company_id !== companyId,
  )
  if (elsewhere.length === 0 || elsewhere.length < people.length) return
  throw invalid(
    'contact_ids',
    `${elsewhere.map((row) => row.name).join(', ')} ${elsewhere.length === 1 ? 'does' : 'do'} not belong to ${name}.`,
    'Add a contact of that company, or send a different company_id.',
  )
}

/** Makes these, and no one else, the people of a deal. */
export async function setContacts(
  ctx: WriteContext,
  { id }: Deal,
  people: readonly Row<'contacts'>[],
): Promise<void> {
  const there = await dealContact.of(ctx, [id]).selectAll('deal_contacts').execute()
  const wanted = new Set<string>(people.map((person) => person.id))
  for (const item of there)
    if (!wanted.has(item.contact_id)) await ctx.remove('deal_contacts', item)
  for (const person of people)
    if (!there.some((on) => on.contact_id === person.id))
      await ctx.add('deal_contacts', { deal_id: id, contact_id: person.id })
}

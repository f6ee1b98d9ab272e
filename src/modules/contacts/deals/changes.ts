import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { dealContact, dealMove } from '../access.ts'
import { resolveStage, stagesOf } from './stages.ts'
import { parseAmount, parseCurrency } from './money.ts'

type Deal = Row<'deals'>
type Patch = Partial<Deal>

export interface StatusChange {
  stage?: string | undefined
  status?: 'open' | 'won' | 'lost' | undefined
  lost_reason?: string | undefined
}

/**
 * Columns for a new stage or status of a deal: open (any stage ↔ any stage) → won | lost; won | lost → open.
 * @throws Refusal if this change is not allowed
 */
export async function statusPatch(
  ctx: ReadContext,
  row: Deal,
  { stage: requestedStage, status = row.status, lost_reason }: StatusChange,
): Promise<Patch> {
  const stage =
    requestedStage === undefined ? row.stage : resolveStage(await stagesOf(ctx), requestedStage)
  const isClosed = status !== 'open'
  if (row.status !== 'open' && isClosed && status !== row.status)
    throw alreadyClosed(row, `Reopen it (status open) before it can be ${status}.`)
  if (row.status !== 'open' && isClosed && stage !== row.stage)
    throw alreadyClosed(row, 'To reopen it, send status open with the stage.')
  const reason = lost_reason?.trim()
  if (reason !== undefined && status !== 'lost')
    throw invalid('lost_reason', 'only lost deals have a reason.', 'Send it with status lost.')
  if (status === 'lost' && !reason && row.lost_reason === null)
    throw invalid(
      'lost_reason',
      'a reason is required for a lost deal.',
      'Send lost_reason with status lost.',
    )
  const entersStage = stage !== row.stage || (row.status !== 'open' && !isClosed)
  return {
    stage,
    status,
    lost_reason: status === 'lost' ? reason || row.lost_reason : null,
    closed_at: isClosed ? (row.closed_at ?? ctx.now) : null,
    stage_since_at: entersStage ? ctx.now : row.stage_since_at,
  }
}

function alreadyClosed({ status, name }: Deal, hint: string): Refusal {
  return new Refusal('conflict', `"${name}" is ${status}.`, { field: 'status', hint })
}

/** Amount and currency in stored form. @throws Refusal if the currency is unknown, or the amount does not fit it */
export function dealValue(
  row: Pick<Deal, 'amount' | 'currency'>,
  input: { amount?: number | null | undefined; currency?: string | undefined },
): Pick<Deal, 'amount' | 'currency'> {
  const currency = input.currency === undefined ? row.currency : parseCurrency(input.currency)
  const amount = input.amount === undefined ? row.amount : input.amount
  return { currency, amount: amount === null ? null : parseAmount(amount, currency) }
}

/** Records a change of stage or status in the history, and emits its events. */
export async function recordMove(ctx: WriteContext, before: Deal, row: Deal): Promise<void> {
  if (row.stage === before.stage && row.status === before.status) return
  await addMove(ctx, row)
  if (row.stage !== before.stage) ctx.event('deal.stage_changed', 'deals', row)
  if (row.status !== before.status && row.status !== 'open')
    ctx.event(`deal.${row.status}`, 'deals', row)
}

/** Adds an entry to the stage history. */
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
 * The company of a deal with these contacts. Contacts of other companies (agencies, lawyers) are allowed besides others.
 * @throws Refusal invalid_argument if all of them belong to other companies
 */
export function companyIdFor(
  company: Row<'companies'> | undefined,
  people: readonly Row<'contacts'>[],
): Deal['company_id'] {
  const companyIds = new Set(people.flatMap((person) => person.company_id ?? []))
  if (!company) return companyIds.size === 1 ? [...companyIds][0]! : null
  requireContactOfCompany(company.id, company.name, people)
  return company.id
}

/** @throws Refusal invalid_argument if all of these contacts belong to other companies */
export function requireContactOfCompany(
  companyId: string,
  name: string,
  people: readonly Row<'contacts'>[],
): void {
  const ofOtherCompanies = people.filter(
    (person) => person.company_id !== null && person.company_id !== companyId,
  )
  if (ofOtherCompanies.length === 0 || ofOtherCompanies.length < people.length) return
  throw invalid(
    'contact_ids',
    `${ofOtherCompanies.map((row) => row.name).join(', ')} ${ofOtherCompanies.length === 1 ? 'does' : 'do'} not belong to ${name}.`,
    'Add a contact of that company, or send a different company_id.',
  )
}

/** Replaces the contacts of a deal. */
export async function setContacts(
  ctx: WriteContext,
  { id }: Deal,
  people: readonly Row<'contacts'>[],
): Promise<void> {
  const current = await dealContact.of(ctx, [id]).selectAll('deal_contacts').execute()
  const wanted = new Set<string>(people.map((person) => person.id))
  for (const item of current)
    if (!wanted.has(item.contact_id)) await ctx.remove('deal_contacts', item)
  for (const person of people)
    if (!current.some((link) => link.contact_id === person.id))
      await ctx.add('deal_contacts', { deal_id: id, contact_id: person.id })
}

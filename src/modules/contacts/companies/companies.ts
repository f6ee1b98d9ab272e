import { omitUndefined, omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { equals, applyFilters, filters, resolvedInput } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { SectionCuts } from '../../../records/section-cuts.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { company, deal } from '../access.ts'
import { contactRef } from '../refs.ts'
import { companyByDomain, withLabelledPeople } from './access.ts'
import {
  customFieldsInput,
  requireNotGuest,
  requireOwner,
  noteInput,
  patchCustomFields,
} from '../contacts/fields.ts'
import type { CustomFields } from '../contacts/custom-fields.ts'
import { parseCompanyAddress } from '../contacts/shared-domains.ts'
import { nameKey } from '../contacts/names.ts'
import { Company, presentCompanies, CompanyDetail, type CompanyShape } from './shapes.ts'
import type { InteractionShape } from '../interactions/interaction.ts'

/** Maximum number of related items shown for one company. */
const maxRelated = { people: 100, deals: 50, interactions: 20 }

const companyFilters = filters('companies', {
  owner: equals('companies.owner_id', person.see.maybe),
  labels: {
    input: label.see.many.maybe
      .named('label_id')
      .describe('companies with a contact that has any of these labels'),
    where: (query, ids) => withLabelledPeople(query, ids),
  },
  query: {
    input: resolvedInput(
      shortText(200).optional().describe('part of the name or domain'),
      (text) => text.trim() || undefined,
    ),
    where: (query, text) => query.where(containsText(['companies.name', 'companies.domain'], text)),
  },
})

export const listCompanies = operation({
  name: 'list_companies',
  searchHint: 'accounts, client firms, customers, vendors',
  kind: 'read',
  rest: 'GET /api/companies',
  about: 'Companies with domain, owner and open deal value',
  on: companyFilters.on,
  input: { ...companyFilters.input, ...paging },
  output: pageOf(Company),
  async handle({ limit, cursor, ...filter }, ctx) {
    const query = await applyFilters(ctx, company.visibleTo(ctx), companyFilters, filter)
    const page = await paged(
      query.selectAll('companies'),
      [
        { by: 'companies.name_key', as: 'name_key', dir: 'asc' },
        { by: 'companies.id', as: 'id', dir: 'asc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentCompanies(ctx, page.items))
  },
})

export const getCompany = operation({
  name: 'get_company',
  searchHint: 'customer account, client firm, details of a firm',
  kind: 'read',
  rest: 'GET /api/companies/{company_id}',
  about: 'One company by id or domain with contacts, deals and recent interactions',
  on: { company: company.see },
  output: CompanyDetail,
  async handle({ company: row }, ctx) {
    const { items, has_more } = await ctx.call<{ items: InteractionShape[]; has_more: boolean }>(
      'list_interactions',
      { company_id: row.id, limit: maxRelated.interactions },
    )
    const cuts = new SectionCuts()
    cuts.note('interactions', has_more, 'list_interactions')
    const deals = cuts.take('deals', await dealsOf(ctx, row), maxRelated.deals, 'list_deals')
    const shape = await presentCompany(ctx, row)
    cuts.note('contacts', shape.contact_count > shape.contacts.length, 'list_contacts')
    return { ...shape, deals, interactions: items, ...cuts.report() }
  },
})

async function dealsOf(
  ctx: ReadContext,
  { id }: Row<'companies'>,
): Promise<z.infer<typeof CompanyDetail>['deals']> {
  const dealQuery = deal
    .visibleTo(ctx)
    .selectAll('deals')
    .where('deals.company_id', '=', id)
    .orderBy('deals.id', 'desc')
    .limit(maxRelated.deals + 1)
  const open = await dealQuery.where('deals.status', '=', 'open').execute()
  const closed = await dealQuery.where('deals.status', '<>', 'open').execute()
  return [...open, ...closed].slice(0, maxRelated.deals + 1).map((item) =>
    omitNullish({
      ...contactRef(item),
      stage: item.stage,
      status: item.status,
      amount: item.amount,
      currency: item.currency,
    }),
  )
}

export const createCompany = operation({
  name: 'create_company',
  searchHint: 'new customer, account, client firm, organization outside, vendor, supplier',
  kind: 'write',
  rest: 'POST /api/companies',
  about: 'Add a company; returns the existing one when the domain matches',
  on: { owner: person.see.maybe },
  input: {
    name: title(),
    domain: shortText(400).optional().describe('acme.com or a web address'),
    industry: shortText(200).optional(),
    size: shortText(100).optional().describe('number of employees, such as 11-50'),
    note: noteInput().optional(),
    custom_fields: customFieldsInput().optional(),
  },
  output: Company,
  async handle(
    { owner, name, domain: enteredDomain, industry, size, note, custom_fields = {} },
    ctx,
  ) {
    requireNotGuest(ctx)
    const domain = domainOf(enteredDomain, name)
    const existing = domain === null ? undefined : await companyByDomain(ctx, domain)
    if (existing) return { ...(await presentCompany(ctx, existing)), existing: true }
    if (owner) requireOwner(owner)
    const row = await ctx.add('companies', {
      name: name.trim(),
      name_key: nameKey(name),
      domain,
      industry: industry?.trim() || null,
      size: size?.trim() || null,
      owner_id: owner?.id ?? null,
      note: note || null,
      custom_fields_json: JSON.stringify(patchCustomFields({}, custom_fields)),
    })
    notifyCompanyOwner(ctx, row)
    return { ...(await presentCompany(ctx, row)), existing: false }
  },
})

export const updateCompany = operation({
  name: 'update_company',
  searchHint: 'edit an account, rename a firm',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/companies/{company_id}',
  about: 'Change fields of a company',
  on: { company: company.edit, owner: person.see.clearable },
  input: {
    name: title().optional(),
    domain: shortText(400).nullable().optional().describe('such as acme.com'),
    industry: shortText(200).nullable().optional(),
    size: shortText(100).nullable().optional().describe('number of employees, such as 11-50'),
    note: noteInput().nullable().optional(),
    custom_fields: customFieldsInput().optional(),
  },
  revision: 'company',
  output: Company,
  async handle(
    { company: row, owner, name, domain: enteredDomain, industry, size, note, custom_fields },
    ctx,
  ) {
    const domain =
      enteredDomain === undefined || enteredDomain === row.domain
        ? row.domain
        : domainOf(enteredDomain ?? undefined, name ?? row.name)
    if (domain !== null && domain !== row.domain) await requireFreeDomain(ctx, domain)
    if (owner && owner.id !== row.owner_id) requireOwner(owner)
    const changed = await ctx.change(
      'companies',
      row,
      omitUndefined({
        ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
        domain,
        industry: industry === undefined ? undefined : industry?.trim() || null,
        size: size === undefined ? undefined : size?.trim() || null,
        owner_id: owner === undefined ? undefined : (owner?.id ?? null),
        note: note === undefined ? undefined : note || null,
        custom_fields_json: custom_fields
          ? JSON.stringify(
              patchCustomFields(JSON.parse(row.custom_fields_json) as CustomFields, custom_fields),
            )
          : undefined,
      }),
    )
    if (changed.owner_id !== row.owner_id) notifyCompanyOwner(ctx, changed)
    return presentCompany(ctx, changed)
  },
})

export const deleteCompany = operation({
  name: 'delete_company',
  searchHint: 'remove a customer, remove an account of a client',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/companies/{company_id}',
  about: 'Move a company to the trash; its contacts and deals stay',
  on: { company: company.own },
  dryRun: true,
  output: DeletedRef,
  async handle({ company: row }, ctx) {
    await ctx.trash('companies', row)
    return deletedRef(ctx, company.ref(row, ctx.baseUrl))
  },
})

/** @throws Refusal invalid_argument if the text is not a domain, or is a domain shared by many companies */
function domainOf(text: string | undefined, name: string): string | null {
  if (text === undefined || text.trim() === '') return null
  const address = parseCompanyAddress(text, name)
  if (address === undefined)
    throw invalid(
      'domain',
      `${JSON.stringify(text.slice(0, 100))} is not a domain.`,
      'Send a domain such as acme.com.',
    )
  if (address.isShared)
    throw invalid(
      'domain',
      `${address.host} is an address of many companies, not the domain of one.`,
      'Omit domain, and put the address into note or custom_fields.',
    )
  return address.host
}

async function requireFreeDomain(ctx: ReadContext, domain: string): Promise<void> {
  const other = await companyByDomain(ctx, domain)
  if (other)
    throw new Refusal('conflict', `${domain} already belongs to another company: ${other.name}.`, {
      field: 'domain',
      context: { existing_id: other.id },
    })
}

function notifyCompanyOwner(ctx: WriteContext, row: Row<'companies'>): void {
  if (row.owner_id !== null)
    ctx.notify(
      'assignment',
      [row.owner_id],
      'companies',
      row,
      `${ctx.actor.display_name} made you the owner of a company`,
    )
}

async function presentCompany(ctx: ReadContext, row: Row<'companies'>): Promise<CompanyShape> {
  return (await presentCompanies(ctx, [row], maxRelated.people))[0]!
}

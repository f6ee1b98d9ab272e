import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import {
  argsOfLink,
  CsvDownload,
  CsvExport,
  csvFile,
  csvToken,
  exportCsv,
  rowsPerPage,
  type Table,
  tablePage,
} from '../../../operations/exports/csv-exports.ts'
import { joinValues, type Cell } from '../../../kernel/text/csv.ts'
import { shortText } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { company, contact, withLabel } from '../access.ts'
import { withLabelledPeople } from '../companies/access.ts'
import { fieldNamesOf } from './access-exports.ts'
import { fieldText } from './custom-fields.ts'
import { presentContacts, type CustomFields } from '../shapes.ts'
import { presentCompanies } from '../companies/shapes.ts'

interface Filter {
  of: 'contacts' | 'companies'
  company?: string | undefined
  owner?: string | undefined
  labels?: string[] | undefined
  query?: string | undefined
}

const tool = 'download_contact_export'

export const exportContacts = operation({
  name: 'export_contacts',
  searchHint: 'download the address book, contacts as spreadsheet, list of customers as csv',
  kind: 'read',
  weight: 20,
  outbound: true,
  reportsProgress: true,
  rest: 'GET /api/contacts/export',
  about: 'Contacts or companies as CSV for import_contacts, inline or as a short-lived link',
  on: {
    company: company.see.maybe,
    owner: person.see.maybe,
    labels: label.see.many.maybe.named('label_id').describe('with any of these labels'),
  },
  input: {
    of: z.enum(['contacts', 'companies']).default('contacts'),
    query: shortText(200).optional().describe('part of the name, address or domain'),
  },
  output: CsvExport,
  async handle({ company: companyRow, owner, labels, of, query }, ctx) {
    const filter: Filter = {
      of,
      company: companyRow?.id,
      owner: owner?.id,
      labels: labels?.map((row) => row.id),
      query: query?.trim() || undefined,
    }
    return exportCsv(ctx, await tableOf(ctx, filter), tool, { ...filter })
  },
})

/** Serves the file whose link export_contacts returned, built from what the person may see at the time of the download. */
export const downloadContactExport = operation({
  name: 'download_contact_export',
  kind: 'read',
  weight: 20,
  rest: 'GET /api/contact-exports/{token}',
  about: 'The file whose link export_contacts returned',
  unlisted: true,
  input: csvToken,
  output: CsvDownload,
  async handle({ token }, ctx) {
    const filter = argsOfLink(ctx, tool, token) as unknown as Filter
    return csvFile(ctx, await tableOf(ctx, filter), `${filter.of}.csv`)
  },
})

function tableOf(ctx: ReadContext, filter: Filter): Promise<Table> {
  return filter.of === 'companies' ? companiesTable(ctx, filter) : contactsTable(ctx, filter)
}

/** A column name that import_contacts recognizes as a custom field. */
const fieldColumn = (name: string) => `custom_fields.${name}`

function filterContacts(
  ctx: ReadContext,
  { company: companyId, owner, labels, query }: Filter,
): Scoped<'contacts'> {
  let contactQuery = contact.visibleTo(ctx)
  if (companyId)
    contactQuery = contactQuery.where(
      'contacts.company_id',
      '=',
      companyId as Row<'companies'>['id'],
    )
  if (owner)
    contactQuery = contactQuery.where('contacts.owner_id', '=', owner as Row<'users'>['id'])
  if (labels?.length) contactQuery = withLabel(contactQuery, labels)
  if (query)
    contactQuery = contactQuery.where(
      containsText(['contacts.name', 'contacts.emails_json'], query),
    )
  return contactQuery
}

async function contactsTable(ctx: ReadContext, filter: Filter): Promise<Table> {
  const query = filterContacts(ctx, filter)
  const fields = await fieldNamesOf(ctx, query.select('contacts.custom_fields_json as fields'))
  const order = [
    { by: 'contacts.name_key', as: 'name_key', dir: 'asc' },
    { by: 'contacts.id', as: 'id', dir: 'asc' },
  ] as const
  return {
    header: [
      'name',
      'emails',
      'phones',
      'title',
      'company',
      'domain',
      'labels',
      'note',
      'owner',
      'last_contacted_at',
      'created_at',
      'workspace_url',
      ...fields.map(fieldColumn),
    ],
    async page(cursor) {
      const page = await paged(query.selectAll('contacts'), order, { limit: rowsPerPage, cursor })
      const companies = await company.among(
        ctx,
        page.items.flatMap((row) => row.company_id ?? []),
      )
      const shapes = await presentContacts(ctx, page.items)
      const cells = shapes.map((shape, i): Cell[] => {
        const companyRow = companies.get(page.items[i]!.company_id ?? '')
        return [
          shape.name,
          joinValues(shape.emails),
          joinValues(shape.phones),
          shape.title,
          companyRow?.name,
          companyRow?.domain,
          joinValues(shape.labels.map((row) => row.title)),
          shape.note,
          shape.owner?.title,
          shape.last_contacted_at,
          shape.created_at,
          shape.url,
          ...fields.map((name) => fieldCell(shape.custom_fields, name)),
        ]
      })
      return tablePage(page, cells, shapes)
    },
  }
}

async function companiesTable(ctx: ReadContext, filter: Filter): Promise<Table> {
  const { company: companyId, owner, labels, query } = filter
  let companyQuery = company.visibleTo(ctx)
  if (companyId)
    companyQuery = companyQuery.where('companies.id', '=', companyId as Row<'companies'>['id'])
  if (owner)
    companyQuery = companyQuery.where('companies.owner_id', '=', owner as Row<'users'>['id'])
  if (labels?.length) companyQuery = withLabelledPeople(companyQuery, labels)
  if (query)
    companyQuery = companyQuery.where(containsText(['companies.name', 'companies.domain'], query))
  const fields = await fieldNamesOf(
    ctx,
    companyQuery.select('companies.custom_fields_json as fields'),
  )
  const order = [
    { by: 'companies.name_key', as: 'name_key', dir: 'asc' },
    { by: 'companies.id', as: 'id', dir: 'asc' },
  ] as const
  return {
    header: [
      'company',
      'domain',
      'industry',
      'size',
      'note',
      'owner',
      'created_at',
      'workspace_url',
      ...fields.map(fieldColumn),
    ],
    async page(cursor) {
      const page = await paged(companyQuery.selectAll('companies'), order, {
        limit: rowsPerPage,
        cursor,
      })
      const shapes = await presentCompanies(ctx, page.items, 0)
      const cells = shapes.map((shape, i): Cell[] => {
        const { industry, size, note } = page.items[i]!
        return [
          shape.name,
          shape.domain,
          industry,
          size,
          note,
          shape.owner?.title,
          shape.created_at,
          shape.url,
          ...fields.map((name) => fieldCell(shape.custom_fields, name)),
        ]
      })
      return pageWithItems(page, cells)
    },
  }
}

function fieldCell(fields: CustomFields | undefined, name: string): Cell {
  const value = fields !== undefined && Object.hasOwn(fields, name) ? fields[name] : undefined
  return value === undefined || typeof value === 'number' ? value : fieldText(value)
}

// Queries for related rows of several companies at once, as far as the reader can see them.
import { sql, type SqlBool } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { company, contact, deal } from '../access.ts'

export interface CompanyPerson {
  company_id: string
  id: Id<'contacts'>
  name: string
  trust: string | null
  /** Total number of people in this company. */
  count: number
}

/** A company's people by name, up to a limit per company. */
export async function peopleOfCompanies(
  viewer: Viewer,
  ids: readonly Id<'companies'>[],
  maxPerCompany: number,
): Promise<CompanyPerson[]> {
  if (ids.length === 0) return []
  const ranked = contact
    .visibleTo(viewer)
    .where('contacts.company_id', 'in', ids)
    .select([
      'contacts.company_id',
      'contacts.id',
      'contacts.name',
      'contacts.trust',
      sql<number>`row_number() over (partition by contacts.company_id order by contacts.name_key, contacts.id)`.as(
        'place',
      ),
      sql<number>`count(*) over (partition by contacts.company_id)`.as('count'),
    ])
  const rows = await accessScopeOf(viewer)
    .all.selectFrom(ranked.as('r'))
    .selectAll()
    .where('r.place', '<=', maxPerCompany)
    .orderBy('r.company_id')
    .orderBy('r.place')
    .execute()
  return rows.map((row) => ({
    company_id: row.company_id!,
    id: row.id,
    name: row.name,
    trust: row.trust,
    count: Number(row.count),
  }))
}

/** Sums up the open deals of companies, by currency. */
export async function openDealSums(
  reader: Viewer,
  ids: readonly Id<'companies'>[],
): Promise<{ company_id: string; currency: string; sum: number | null }[]> {
  if (ids.length === 0) return []
  const rows = await deal
    .visibleTo(reader)
    .where('deals.company_id', 'in', ids)
    .where('deals.status', '=', 'open')
    .groupBy(['deals.company_id', 'deals.currency'])
    .select((eb) => [
      'deals.company_id',
      'deals.currency',
      eb.fn.sum<number | null>('deals.amount').as('sum'),
    ])
    .execute()
  return rows.map((row) => ({
    company_id: row.company_id!,
    currency: row.currency,
    sum: row.sum === null ? null : Number(row.sum),
  }))
}

/** Companies with people who have one of these labels. */
export function withLabelledPeople(
  companies: Scoped<'companies'>,
  labelIds: readonly string[],
): Scoped<'companies'> {
  return companies.where(
    sql<SqlBool>`exists (select 1 from contacts as c join contact_labels as l on l.contact_id = c.id where c.org_id = companies.org_id and c.company_id = companies.id and c.deleted_at is null and l.label_id in (${sql.join(labelIds)}))`,
  )
}

/** The visible company with a domain, which is given in stored form. */
export function companyByDomain(
  viewer: Viewer,
  domain: string,
): Promise<Row<'companies'> | undefined> {
  return company
    .visibleTo(viewer)
    .selectAll('companies')
    .where('companies.domain', '=', domain)
    .executeTakeFirst()
}

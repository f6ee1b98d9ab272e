import { findable, type Searcher } from '../../search/findable.ts'
import type { Row } from '../../records/resource.ts'
import { person } from '../directory/access.ts'
import { company, contact, deal, interaction } from './access.ts'

/** All of them are everybody's but the guests'. */
const containers = async (ctx: Searcher) => (ctx.actor.role === 'guest' ? [] : [ctx.actor.org_id])

/** Who looks after each of some rows, and the company that it belongs to. */
async function around(
  ctx: Searcher,
  rows: readonly {
    id: string
    company_id?: Row<'companies'>['id'] | null
    person: Row<'users'>['id'] | null
  }[],
) {
  const people = await person.among(
    ctx,
    rows.flatMap((row) => row.person ?? []),
  )
  const companies = await company.among(
    ctx,
    rows.flatMap((row) => row.company_id ?? []),
  )
  return new Map(
    rows.map((row) => {
      const name = row.person === null ? undefined : people.get(row.person)?.display_name
      const of = row.company_id ? companies.get(row.company_id) : undefined
      return [
        row.id,
        {
          people: name === undefined ? [] : [name],
          trust: 'internal' as const,
          place: of && company.ref(of, ctx.baseUrl),
        },
      ]
    }),
  )
}

export const foundContacts = findable({
  kind: 'contact',
  source: 'contacts',
  resource: contact,
  containers,
  narrow: (_, contacts, { project: of, person: who }) =>
    of ? undefined : who ? contacts.where('contacts.owner_id', '=', who.id) : contacts,
  facts: (ctx, rows) =>
    around(
      ctx,
      rows.map((row) => ({ id: row.id, company_id: row.company_id, person: row.owner_id })),
    ),
})

export const foundCompanies = findable({
  kind: 'company',
  source: 'companies',
  resource: company,
  containers,
  narrow: (_, companies, { project: of, person: who }) => (of || who ? undefined : companies),
  facts: (ctx, rows) =>
    around(
      ctx,
      rows.map((row) => ({ id: row.id, person: row.owner_id })),
    ),
})

export const foundDeals = findable({
  kind: 'deal',
  source: 'deals',
  resource: deal,
  containers,
  narrow: (_, deals, { project: of, person: who }) =>
    of ? undefined : who ? deals.where('deals.owner_id', '=', who.id) : deals,
  facts: (ctx, rows) =>
    around(
      ctx,
      rows.map((row) => ({ id: row.id, company_id: row.company_id, person: row.owner_id })),
    ),
})

export const foundInteractions = findable({
  kind: 'interaction',
  source: 'logged calls and notes',
  resource: interaction,
  containers,
  narrow: (_, interactions, { project: of, person: who }) =>
    of
      ? undefined
      : who
        ? interactions.where('interactions.created_by', '=', who.id)
        : interactions,
  facts: (ctx, rows) =>
    around(
      ctx,
      rows.map((row) => ({ id: row.id, company_id: row.company_id, person: row.created_by })),
    ),
})

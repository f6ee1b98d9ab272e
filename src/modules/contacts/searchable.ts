import type { ReadContext } from '../../operations/context.ts'
import { hitFacts } from '../../operations/search/hit-facts.ts'
import { byPerson, searchable } from '../../operations/search/searchable.ts'
import { person } from '../directory/access.ts'
import { company, contact, deal, interaction } from './access.ts'

/** The whole directory is visible to everyone except guests. */
const containers = async (ctx: ReadContext) =>
  ctx.actor.role === 'guest' ? [] : [ctx.actor.org_id]

export const searchableContacts = searchable({
  kind: 'contact',
  source: 'contacts',
  resource: contact,
  containers,
  narrow: byPerson('contacts.owner_id'),
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { person, place: company },
      rows.map((row) => ({ id: row.id, place: row.company_id, people: [row.owner_id] })),
    ),
})

export const searchableCompanies = searchable({
  kind: 'company',
  source: 'companies',
  resource: company,
  containers,
  narrow: (_, companies, { project, person: personRow }) =>
    project || personRow ? undefined : companies,
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { person, place: company },
      rows.map((row) => ({ id: row.id, people: [row.owner_id] })),
    ),
})

export const searchableDeals = searchable({
  kind: 'deal',
  source: 'deals',
  resource: deal,
  containers,
  narrow: byPerson('deals.owner_id'),
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { person, place: company },
      rows.map((row) => ({ id: row.id, place: row.company_id, people: [row.owner_id] })),
    ),
})

export const searchableInteractions = searchable({
  kind: 'interaction',
  source: 'logged calls and notes',
  resource: interaction,
  containers,
  narrow: byPerson('interactions.created_by'),
  facts: (ctx, rows) =>
    hitFacts(
      ctx,
      { person, place: company },
      rows.map((row) => ({ id: row.id, place: row.company_id, people: [row.created_by] })),
    ),
})

import type { ReadContext } from '../../core/context.ts'
import { findable } from '../../core/finding.ts'
import { company, contact, deal, interaction } from './access.ts'

/** All of them are everybody's but the guests'. */
const containers = async (ctx: ReadContext) => (ctx.actor.role === 'guest' ? [] : [ctx.actor.org_id])

export const foundContacts = findable({
  kind: 'contact',
  source: 'contacts',
  resource: contact,
  containers,
  narrow: (_, contacts, { project: of, person: who }) => (of ? undefined : who ? contacts.where('contacts.owner_id', '=', who.id) : contacts),
})

export const foundCompanies = findable({
  kind: 'company',
  source: 'companies',
  resource: company,
  containers,
  narrow: (_, companies, { project: of, person: who }) => (of || who ? undefined : companies),
})

export const foundDeals = findable({
  kind: 'deal',
  source: 'deals',
  resource: deal,
  containers,
  narrow: (_, deals, { project: of, person: who }) => (of ? undefined : who ? deals.where('deals.owner_id', '=', who.id) : deals),
})

export const foundInteractions = findable({
  kind: 'interaction',
  source: 'logged calls and notes',
  resource: interaction,
  containers,
  narrow: (_, interactions, { project: of, person: who }) => (of ? undefined : who ? interactions.where('interactions.created_by', '=', who.id) : interactions),
})

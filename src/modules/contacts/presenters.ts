import { presenter } from '../../operations/listing/presenters.ts'
import { company, contact, deal, interaction } from './access.ts'
import { showCompanies } from './companies/shapes.ts'
import { showDeals } from './deals/shapes.ts'
import { showLogged } from './interactions/shapes.ts'
import { showContacts } from './shapes.ts'

/** How the items of this module look in lists, and what reads one of them. */
export const contactsPresenters = [
  presenter(contact, {
    operation: 'list_contacts',
    entries: showContacts,
    get: { operation: 'get_contact', argument: 'contact_id' },
  }),
  presenter(company, {
    operation: 'list_companies',
    entries: (ctx, rows) => showCompanies(ctx, rows),
    get: { operation: 'get_company', argument: 'company_id' },
  }),
  presenter(deal, {
    operation: 'list_deals',
    entries: showDeals,
    get: { operation: 'get_deal', argument: 'deal_id' },
  }),
  presenter(interaction, { operation: 'list_interactions', entries: showLogged }),
]

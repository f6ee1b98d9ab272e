import { presenter } from '../../operations/listing/presenters.ts'
import { company, contact, deal, interaction } from './access.ts'
import { presentCompanies } from './companies/shapes.ts'
import { presentDeals } from './deals/shapes.ts'
import { presentLoggedInteractions } from './interactions/shapes.ts'
import { presentContacts } from './shapes.ts'

/** Presenters for this module's items, and the operations that read them. */
export const contactsPresenters = [
  presenter(contact, {
    operation: 'list_contacts',
    entries: presentContacts,
    get: { operation: 'get_contact', argument: 'contact_id' },
  }),
  presenter(company, {
    operation: 'list_companies',
    entries: (ctx, rows) => presentCompanies(ctx, rows),
    get: { operation: 'get_company', argument: 'company_id' },
  }),
  presenter(deal, {
    operation: 'list_deals',
    entries: presentDeals,
    get: { operation: 'get_deal', argument: 'deal_id' },
  }),
  presenter(interaction, { operation: 'list_interactions', entries: presentLoggedInteractions }),
]

import type { Module } from '../../operations/module.ts'
import * as companies from './companies/companies.ts'
import { createContact, getContact, listContacts, updateContact } from './contacts/contacts.ts'
import * as deals from './deals/deals.ts'
import { deleteContact, forgetContact } from './contacts/deletions.ts'
import { downloadContactExport, exportContacts } from './contacts/exports.ts'
import { findDuplicateContacts } from './duplicates/duplicates.ts'
import {
  searchableCompanies,
  searchableContacts,
  searchableDeals,
  searchableInteractions,
} from './searchable.ts'
import { finishAbandonedImportsTick, importContactsJob } from './imports/jobs.ts'
import { importContacts } from './imports/imports.ts'
import * as interactions from './interactions/interactions.ts'
import { followMeetings } from './interactions/last-contact.ts'
import { mergeContacts } from './duplicates/merges.ts'
import { downloadDealExport, exportDeals } from './deals/exports.ts'
import * as pipeline from './deals/pipeline.ts'
import { searchContacts } from './search.ts'
import { contactsPresenters } from './presenters.ts'
import { handovers } from '../directory/shapes.ts'
import { contactHandovers } from './handover.ts'

for (const handover of contactHandovers) handovers.register(handover)

export const contactsModule: Module = {
  name: 'contacts',
  about:
    'External people and companies, interactions with them, and deals. Nouns: contact, company, interaction, deal.',
  operations: [
    listContacts,
    searchContacts,
    getContact,
    createContact,
    updateContact,
    deleteContact,
    mergeContacts,
    findDuplicateContacts,
    importContacts,
    exportContacts,
    downloadContactExport,
    exportDeals,
    downloadDealExport,
    ...[companies, interactions, deals, pipeline].flatMap((noun) => Object.values(noun)),
  ],
  ticks: [followMeetings, finishAbandonedImportsTick],
  jobs: [forgetContact, importContactsJob],
  events: ['contact.merged', 'interaction.logged', 'deal.stage_changed', 'deal.won', 'deal.lost'],
  searchables: [searchableContacts, searchableCompanies, searchableDeals, searchableInteractions],
  presenters: contactsPresenters,
}

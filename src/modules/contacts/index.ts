import type { Module } from '../../core/module.ts'
import * as companies from './companies.ts'
import { createContact, getContact, listContacts, updateContact } from './contacts.ts'
import * as deals from './deals.ts'
import { deleteContact, forgetContact } from './deletions.ts'
import { downloadContactExport, exportContacts } from './exports.ts'
import { findDuplicateContacts } from './duplicates.ts'
import { foundCompanies, foundContacts, foundDeals, foundInteractions } from './finds.ts'
import { endImports, importContactsJob } from './import-job.ts'
import { importContacts } from './imports.ts'
import * as interactions from './interactions.ts'
import { followMeetings } from './last-contact.ts'
import { mergeContacts } from './merges.ts'
import * as pipeline from './pipeline.ts'
import { searchContacts } from './searches.ts'

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
    ...[companies, interactions, deals, pipeline].flatMap((noun) => Object.values(noun)),
  ],
  ticks: [followMeetings, endImports],
  jobs: [forgetContact, importContactsJob],
  events: ['contact.merged', 'interaction.logged', 'deal.stage_changed', 'deal.won', 'deal.lost'],
  finds: [foundContacts, foundCompanies, foundDeals, foundInteractions],
}

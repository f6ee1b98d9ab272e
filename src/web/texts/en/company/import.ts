import { count } from '../count.ts'

interface Counts {
  created: number
  updated: number
  unchanged: number
  skipped: number
}

/** Texts of the import and export of contacts. */
export const contactImport = {
  about: 'CSV of any spreadsheet or address book, or vCard.',
  columns: 'Where each column goes',
  leaveOut: 'Leave out',
  ownField: (column: string) => `A field of its own: ${column}`,
  fields: {
    name: 'Name',
    first_name: 'First name',
    middle_name: 'Middle name',
    last_name: 'Last name',
    title: 'Job title',
    company: 'Company',
    domain: 'Domain of the company',
    emails: 'Email',
    phones: 'Phone',
    labels: 'Labels',
    note: 'Note',
  },
  skip: 'Leave contacts as they are whose address is there already',
  heads: ['Line', 'What happens', 'Name', 'Email', 'Phone', 'Company'],
  actions: {
    created: 'Created',
    updated: 'Updated',
    unchanged: 'Unchanged',
    skipped: 'Skipped',
  },
  counts: (records: number, { created, updated, unchanged, skipped }: Counts) =>
    `${count(records, 'record', 'records')}: ${created} created, ${updated} updated, ${unchanged} unchanged, ${skipped} skipped`,
  action: (n: number) => `Import ${count(n, 'contact', 'contacts')}`,
  actionOnAll: (n: number) => `Import ${count(n, 'record', 'records')}`,
  contacts: 'contacts',
  done: ({ created, updated }: Counts) =>
    `${count(created, 'contact', 'contacts')} created, ${updated} updated`,
  exported: (n: number) => `${count(n, 'row', 'rows')} exported`,
}

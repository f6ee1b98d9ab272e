import { call } from '../../../api/client.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { t } from '../../../texts/index.ts'
import { operationTextSource } from '../../../ui/conflicts/text-merge.ts'
import {
  updateCompany,
  updateContact,
  type CompanyRow,
  type ContactRow,
  type NamedItem,
} from './data.ts'
import { addressSeparators, numberSeparators, splitValues } from './search.ts'

const { fields, set } = words

/** Applies typed text to a contact, by column. An empty name leaves the name unchanged. */
export const contactSetters: Readonly<
  Record<'name' | 'title' | 'emails' | 'phones', (contact: ContactRow, text: string) => void>
> = {
  name: (contact, text) => {
    const name = text.trim()
    if (name !== '')
      updateContact(contact, { name }, { set: { name }, description: set.renamed(name) })
  },
  title: (contact, text) => {
    const title = text.trim()
    updateContact(
      contact,
      { title: title === '' ? null : title },
      {
        set: { title: title === '' ? undefined : title },
        description: set.field(fields.title, title),
      },
    )
  },
  emails: (contact, text) => {
    const emails = splitValues(text, addressSeparators)
    const description = set.field(fields.emails, emails.join(', '))
    updateContact(contact, { emails }, { set: { emails }, description })
  },
  phones: (contact, text) => {
    const phones = splitValues(text, numberSeparators)
    const description = set.field(fields.phones, phones.join(', '))
    updateContact(contact, { phones }, { set: { phones }, description })
  },
}

/** Note on a contact, which others may edit at the same time. */
export const contactNote = ({ id, name }: ContactRow) =>
  operationTextSource({
    read: async () => {
      const contact = await call('get_contact', { contact_id: id })
      return { text: contact.note ?? '', revision: contact.revision }
    },
    operation: 'update_contact',
    input: (note, expected_revision) => ({ contact_id: id, note, expected_revision }),
    row: (note) => ({ type: 'contact', id, set: { note: note ?? undefined } }),
    description: t.tasks.changed(name, set.note),
  })

/** The note of a company. */
export const companyNote = ({ id, name }: CompanyRow) =>
  operationTextSource({
    read: async () => {
      const company = await call('get_company', { company_id: id })
      return { text: company.note ?? '', revision: company.revision }
    },
    operation: 'update_company',
    input: (note, expected_revision) => ({ company_id: id, note, expected_revision }),
    row: (note) => ({ type: 'company', id, set: { note: note ?? undefined } }),
    description: t.tasks.changed(name, set.note),
  })

export function setCompany(contact: ContactRow, company: NamedItem | undefined): void {
  updateContact(
    contact,
    { company_id: company?.id ?? null },
    { set: { company }, description: set.field(fields.company, company?.title ?? '') },
  )
}

export function setContactOwner(contact: ContactRow, owner: NamedItem | undefined): void {
  updateContact(
    contact,
    { owner_id: owner?.id ?? null },
    { set: { owner }, description: set.field(fields.owner, owner?.title ?? '') },
  )
}

export function setCompanyOwner(company: CompanyRow, owner: NamedItem | undefined): void {
  updateCompany(
    company,
    { owner_id: owner?.id ?? null },
    { set: { owner }, description: set.field(fields.owner, owner?.title ?? '') },
  )
}

/** Applies typed text to a company. An empty name leaves the name unchanged. */
export function setCompanyText(
  company: CompanyRow,
  field: 'name' | 'domain' | 'industry' | 'size',
  text: string,
): void {
  const value = text.trim()
  if (field === 'name') {
    if (value !== '')
      updateCompany(
        company,
        { name: value },
        { set: { name: value }, description: set.renamed(value) },
      )
    return
  }
  updateCompany(
    company,
    { [field]: value === '' ? null : value },
    {
      set: { [field]: value === '' ? undefined : value },
      description: set.field(fields[field], value),
    },
  )
}

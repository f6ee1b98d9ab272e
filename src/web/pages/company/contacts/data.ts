import type { Input } from '../../../api/client.ts'
import { notify, randomId, undoLast, write, type RowOf } from '../../../store/index.ts'
import { directoryTexts as words } from '../../../texts/en/company/contacts.ts'
import { t } from '../../../texts/index.ts'

export type ContactRow = RowOf<'contact'>
export type CompanyRow = RowOf<'company'>

/** A reference to an item. */
export interface NamedItem {
  id: string
  title: string
}

/** Optimistic change of a row, with its description. */
export interface DescribedChange<R> {
  set: Partial<R>
  description: string
}

type ContactChange = Omit<Input<'update_contact'>, 'contact_id' | 'expected_revision'>
type CompanyChange = Omit<Input<'update_company'>, 'company_id' | 'expected_revision'>

/** Changes a contact; shown immediately. */
export function updateContact(
  contact: ContactRow,
  change: ContactChange,
  { set, description }: DescribedChange<ContactRow>,
): void {
  void write(
    'update_contact',
    { contact_id: contact.id, ...change },
    {
      rows: [{ type: 'contact', id: contact.id, set }],
      text: t.tasks.changed(contact.name, description),
    },
  )
}

/** Changes a company; shown immediately. */
export function updateCompany(
  company: CompanyRow,
  change: CompanyChange,
  { set, description }: DescribedChange<CompanyRow>,
): void {
  void write(
    'update_company',
    { company_id: company.id, ...change },
    {
      rows: [{ type: 'company', id: company.id, set }],
      text: t.tasks.changed(company.name, description),
    },
  )
}

/** Adds a contact, or reports an existing one with the address. Returns the id of the new or existing one. */
export async function createContact(input: Input<'create_contact'>): Promise<string | undefined> {
  const { name, emails = [], phones = [], title } = input
  const text = words.created(name)
  const result = await write('create_contact', input, {
    rows: [
      {
        type: 'contact',
        id: randomId(),
        add: { name, emails, phones, title, labels: [], deals: [], custom_fields: {} },
      },
    ],
    text,
    noticeSeconds: 0,
  })
  if (result.state !== 'done' || !result.value) return undefined
  notifyCreated(result.value, text, result.callId)
  return result.value.id
}

/** Adds a company, or reports an existing one with the domain. Returns the new or existing one. */
export async function createCompany(
  input: Input<'create_company'>,
): Promise<NamedItem | undefined> {
  const { name, domain, industry } = input
  const text = words.created(name)
  const result = await write('create_company', input, {
    rows: [
      {
        type: 'company',
        id: randomId(),
        add: {
          name,
          domain,
          industry,
          contacts: [],
          contact_count: 0,
          open_deal_value: {},
          custom_fields: {},
        },
      },
    ],
    text,
    noticeSeconds: 0,
  })
  if (result.state !== 'done' || !result.value) return undefined
  notifyCreated(result.value, text, result.callId)
  return { id: result.value.id, title: result.value.name }
}

function notifyCreated(
  record: { name: string; existing?: boolean | undefined },
  text: string,
  callId: string | undefined,
): void {
  if (record.existing) return notify({ text: words.existing(record.name), seconds: 8, actions: [] })
  notify({
    text,
    seconds: 8,
    actions: callId ? [{ label: t.app.sync.undo, run: () => void undoLast(callId) }] : [],
  })
}

/** Moves a contact to the trash. */
export async function removeContact(contact: ContactRow): Promise<boolean> {
  const result = await write(
    'delete_contact',
    { contact_id: contact.id },
    {
      rows: [{ type: 'contact', id: contact.id, remove: true }],
      text: t.tasks.changed(contact.name, words.set.deleted),
    },
  )
  return result.state === 'done'
}

/** Moves a company to the trash; its contacts stay. */
export async function removeCompany(company: CompanyRow): Promise<boolean> {
  const result = await write(
    'delete_company',
    { company_id: company.id },
    {
      rows: [{ type: 'company', id: company.id, remove: true }],
      text: t.tasks.changed(company.name, words.set.deleted),
    },
  )
  return result.state === 'done'
}

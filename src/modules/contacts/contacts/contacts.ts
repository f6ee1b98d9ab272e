import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import type { WriteContext } from '../../../operations/context.ts'
import { fields, pageOf, paging, shortText, title } from '../../../kernel/fields.ts'
import { equals, applyFilters, filters, moment, since } from '../../../operations/filters.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems, type Order } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { label } from '../../labels/access.ts'
import { person } from '../../directory/access.ts'
import { company, contact, withLabel } from '../access.ts'
import { companyOfEmails, contactsByEmails } from '../duplicates/access-matches.ts'
import { recountLastContact } from '../interactions/access-last-contact.ts'
import { includes, presentContactWith, type Include } from './includes.ts'
import {
  addressesInput,
  customFieldsInput,
  requireNotGuest,
  requireOwner,
  noteInput,
  parseEmails,
  parsePhones,
  patchCustomFields,
} from './fields.ts'
import { setLabels } from './labels.ts'
import { nameKey } from './names.ts'
import {
  Contact,
  ListedContact,
  presentContact,
  presentContacts,
  type CustomFields,
} from '../shapes.ts'
import { requireUniqueContact, requireAtMostOne } from './uniqueness.ts'

const orders: Record<'name' | 'last_contacted_at' | 'created_at', Order[]> = {
  name: [
    { by: 'contacts.name_key', as: 'name_key', dir: 'asc' },
    { by: 'contacts.id', as: 'id', dir: 'asc' },
  ],
  last_contacted_at: [
    { by: 'contacts.last_contacted_at', as: 'last_contacted_at', dir: 'desc', nullable: true },
    { by: 'contacts.id', as: 'id', dir: 'desc' },
  ],
  created_at: [
    { by: 'contacts.created_at', as: 'created_at', dir: 'desc' },
    { by: 'contacts.id', as: 'id', dir: 'desc' },
  ],
}

const contactFilters = filters('contacts', {
  company: equals('contacts.company_id', company.see.maybe),
  owner: equals('contacts.owner_id', person.see.maybe),
  labels: {
    input: label.see.many.maybe.named('label_id').describe('with any of these labels'),
    where: (query, ids) => withLabel(query, ids),
  },
  last_contacted_before: {
    input: moment('start', 'no contact since'),
    where: (query, at) =>
      query.where((eb) =>
        eb.or([
          eb('contacts.last_contacted_at', '<', at),
          eb('contacts.last_contacted_at', 'is', null),
        ]),
      ),
  },
  created_after: since('contacts.created_at'),
})

export const listContacts = operation({
  name: 'list_contacts',
  searchHint: 'customers, clients, address book, leads, CRM people',
  kind: 'read',
  rest: 'GET /api/contacts',
  about: 'People outside the organization in the shared directory',
  on: contactFilters.on,
  input: {
    ...contactFilters.input,
    sort: z
      .enum(['name', 'last_contacted_at', 'created_at'])
      .default('name')
      .describe('name: A to Z; the others: newest first'),
    fields: fields(),
    ...paging,
  },
  output: pageOf(ListedContact).extend({ note: z.string().optional() }),
  async handle({ sort, fields: _, limit, cursor, ...filter }, ctx) {
    const query = await applyFilters(ctx, contact.visibleTo(ctx), contactFilters, filter)
    const page = await paged(query.selectAll('contacts'), orders[sort], { limit, cursor })
    return {
      ...pageWithItems(page, await presentContacts(ctx, page.items)),
      ...(ctx.actor.role === 'guest' ? { note: 'Guests see no contacts.' } : {}),
    }
  },
})

export const getContact = operation({
  name: 'get_contact',
  searchHint: 'customer details, client card, phone number',
  kind: 'read',
  rest: 'GET /api/contacts/{contact_id}',
  about:
    'One contact by id or email with company, deals, owner and recent interactions visible to you',
  on: { contact: contact.see },
  input: { include: z.array(z.enum(includes)).max(4).optional().describe('default: interactions') },
  output: Contact,
  async handle({ contact: row, include }, ctx) {
    return presentContactWith(ctx, row, new Set<Include>(include ?? ['interactions']))
  },
})

export const createContact = operation({
  name: 'create_contact',
  searchHint: 'new customer, add a client, add a person to the address book, lead',
  kind: 'write',
  rest: 'POST /api/contacts',
  about: 'Add a contact; returns the existing one when an email address matches',
  on: {
    company: company.see.clearable.describe(
      'default: the company with the domain of an address; null: none',
    ),
    owner: person.see.maybe,
    labels: label.see.many.maybe,
  },
  input: {
    name: title(),
    emails: addressesInput('main one first').optional(),
    phones: addressesInput('default country code: that of your organization').optional(),
    title: shortText(300).optional(),
    note: noteInput().optional(),
    custom_fields: customFieldsInput().optional(),
  },
  output: Contact,
  async handle(
    {
      company,
      owner,
      labels = [],
      name,
      emails: enteredEmails = [],
      phones: enteredPhones = [],
      title,
      note,
      custom_fields = {},
    },
    ctx,
  ) {
    requireNotGuest(ctx)
    const emails = parseEmails(enteredEmails)
    const phones = await parsePhones(ctx, enteredPhones)
    const existing = requireAtMostOne(await contactsByEmails(ctx, emails))
    if (existing) return { ...(await presentContact(ctx, existing)), existing: true }
    if (owner) requireOwner(owner)
    const row = await ctx.add('contacts', {
      name: name.trim(),
      name_key: nameKey(name),
      emails_json: JSON.stringify(emails),
      phones_json: JSON.stringify(phones),
      title: title?.trim() || null,
      company_id:
        company === undefined
          ? ((await companyOfEmails(ctx, emails)) ?? null)
          : (company?.id ?? null),
      owner_id: owner?.id ?? null,
      note: note || null,
      custom_fields_json: JSON.stringify(patchCustomFields({}, custom_fields)),
    })
    for (const item of labels)
      await ctx.add('contact_labels', { contact_id: row.id, label_id: item.id })
    await recountLastContact(ctx, [row.id])
    notifyContactOwner(ctx, row)
    return {
      ...(await presentContact(ctx, (await contact.find(ctx, row.id)) ?? row)),
      existing: false,
    }
  },
})

export const updateContact = operation({
  name: 'update_contact',
  searchHint: 'change a phone number, new email address of a client, edit a customer',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/contacts/{contact_id}',
  about: 'Change fields of a contact',
  on: {
    contact: contact.edit,
    company: company.see.clearable,
    owner: person.see.clearable,
    added: label.see.many.maybe.named('add_label_ids'),
    removed: label.see.many.maybe.named('remove_label_ids'),
  },
  input: {
    name: title().optional(),
    emails: addressesInput('the complete list, main one first').optional(),
    phones: addressesInput('the complete list').optional(),
    title: shortText(300).nullable().optional(),
    note: noteInput().nullable().optional(),
    custom_fields: customFieldsInput().optional(),
  },
  revision: 'contact',
  output: Contact,
  async handle(
    {
      contact: row,
      company,
      owner,
      added = [],
      removed = [],
      name,
      emails: enteredEmails,
      phones: enteredPhones,
      title,
      note,
      custom_fields,
    },
    ctx,
  ) {
    const emails = enteredEmails && parseEmails(enteredEmails)
    if (emails) requireUniqueContact(await contactsByEmails(ctx, emails), row)
    const phones = enteredPhones && (await parsePhones(ctx, enteredPhones))
    if (owner && owner.id !== row.owner_id) requireOwner(owner)
    const changed = await ctx.change(
      'contacts',
      row,
      omitUndefined({
        ...(name === undefined ? {} : { name: name.trim(), name_key: nameKey(name) }),
        emails_json: emails ? JSON.stringify(emails) : undefined,
        phones_json: phones ? JSON.stringify(phones) : undefined,
        title: title === undefined ? undefined : title?.trim() || null,
        company_id: company === undefined ? undefined : (company?.id ?? null),
        owner_id: owner === undefined ? undefined : (owner?.id ?? null),
        note: note === undefined ? undefined : note || null,
        custom_fields_json: custom_fields
          ? JSON.stringify(
              patchCustomFields(JSON.parse(row.custom_fields_json) as CustomFields, custom_fields),
            )
          : undefined,
      }),
    )
    await setLabels(ctx, changed, added, removed)
    if (emails) await recountLastContact(ctx, [row.id])
    if (changed.owner_id !== row.owner_id) notifyContactOwner(ctx, changed)
    return presentContact(ctx, (await contact.find(ctx, row.id)) ?? changed)
  },
})

function notifyContactOwner(ctx: WriteContext, row: Row<'contacts'>): void {
  if (row.owner_id !== null)
    ctx.notify(
      'assignment',
      [row.owner_id],
      'contacts',
      row,
      `${ctx.actor.display_name} made you the owner of a contact`,
    )
}

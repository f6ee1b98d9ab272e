// Finds contacts by email address, phone number or name, using tables of addresses and numbers that triggers maintain.
import { sql, type SqlBool } from 'kysely'
import { escapeLike, like } from '../../../db/text-conditions.ts'
import { chunks } from '../../../kernel/chunks.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { company, contact } from '../access.ts'
import { isMailProvider } from '../contacts/shared-domains.ts'
import type { DuplicateCandidate } from './rules.ts'

/** Contacts that have one of these addresses, oldest first. */
export async function contactsByEmails(
  viewer: Viewer,
  emails: readonly string[],
): Promise<Row<'contacts'>[]> {
  if (emails.length === 0) return []
  const { all, actor } = accessScopeOf(viewer)
  const contactIds = all
    .selectFrom('contact_emails')
    .select('contact_id')
    .where('org_id', '=', actor.org_id)
    .where('email', 'in', [...emails])
  return contact
    .visibleTo(viewer)
    .selectAll('contacts')
    .where('contacts.id', 'in', contactIds)
    .orderBy('contacts.id')
    .execute()
}

/** Contacts that have this number, or one that ends with these digits. */
export async function contactsByPhone(
  reader: Viewer,
  { phone, ending, limit }: { phone: string; ending: string | undefined; limit: number },
): Promise<Row<'contacts'>[]> {
  const { all, actor } = accessScopeOf(reader)
  const numbers = all
    .selectFrom('contact_phones')
    .select('contact_id')
    .where('org_id', '=', actor.org_id)
  const matchingIds = numbers.where((eb) =>
    eb.or([
      eb('phone', '=', phone),
      ...(ending === undefined ? [] : [eb('phone', 'like', `%${ending}`)]),
    ]),
  )
  return contact
    .visibleTo(reader)
    .selectAll('contacts')
    .where('contacts.id', 'in', matchingIds)
    .orderBy('contacts.id')
    .limit(limit)
    .execute()
}

/** The company with the domain of one of these addresses, except domains of mail providers. */
export async function companyOfEmails(
  viewer: Viewer,
  emails: readonly string[],
): Promise<Id<'companies'> | undefined> {
  const domains = [
    ...new Set(emails.map((email) => email.slice(email.lastIndexOf('@') + 1))),
  ].filter((domain) => !isMailProvider(domain))
  if (domains.length === 0) return undefined
  const rows = await company
    .visibleTo(viewer)
    .select(['companies.id', 'companies.domain'])
    .where('companies.domain', 'in', domains)
    .execute()
  return domains.flatMap((domain) => rows.find((row) => row.domain === domain)?.id ?? [])[0]
}

/** All visible contacts, with the properties that duplicate detection compares. */
export async function duplicateCandidates(reader: Viewer): Promise<DuplicateCandidate[]> {
  const rows = await contact
    .visibleTo(reader)
    .select([
      'contacts.id',
      'contacts.name',
      'contacts.company_id',
      'contacts.trust',
      'contacts.emails_json',
      'contacts.phones_json',
    ])
    .orderBy('contacts.id')
    .execute()
  return rows.map(({ emails_json, phones_json, ...row }) => ({
    ...row,
    emails: JSON.parse(emails_json) as string[],
    phones: JSON.parse(phones_json) as string[],
  }))
}

/** Contacts with a name, or a word in it, that begins with a text: for partly typed names. */
export async function contactsByNamePrefix(
  viewer: Viewer,
  key: string,
  limit: number,
): Promise<Row<'contacts'>[]> {
  return contact
    .visibleTo(viewer)
    .selectAll('contacts')
    .where(hasWordPrefix('contacts.name_key', key))
    .orderBy('contacts.name_key')
    .orderBy('contacts.id')
    .limit(limit)
    .execute()
}

/** Companies with a name, or a word in it, that begins with a text. */
export async function companiesByNamePrefix(
  reader: Viewer,
  key: string,
  limit: number,
): Promise<Row<'companies'>[]> {
  return company
    .visibleTo(reader)
    .selectAll('companies')
    .where(hasWordPrefix('companies.name_key', key))
    .orderBy('companies.name_key')
    .orderBy('companies.id')
    .limit(limit)
    .execute()
}

function hasWordPrefix(column: string, key: string) {
  const text = escapeLike(key)
  return sql<SqlBool>`(${like(sql.ref(column), `${text}%`)} or ${like(sql.ref(column), `% ${text}%`)})`
}

/** Ids of the contacts with these addresses, by address; unused addresses are absent. */
export async function contactIdsByEmail(
  viewer: Viewer,
  emails: readonly string[],
): Promise<Map<string, string>> {
  const { all, actor } = accessScopeOf(viewer)
  const contactByEmail = new Map<string, string>()
  for (const batch of chunks(emails, 500)) {
    const rows = await all
      .selectFrom('contact_emails')
      .select(['email', 'contact_id'])
      .where('org_id', '=', actor.org_id)
      .where('email', 'in', batch)
      .execute()
    for (const row of rows) contactByEmail.set(row.email, row.contact_id)
  }
  return contactByEmail
}

/** The oldest company with exactly this name. */
export async function companiesByName(reader: Viewer, key: string): Promise<Row<'companies'>[]> {
  return company
    .visibleTo(reader)
    .selectAll('companies')
    .where('companies.name_key', '=', key)
    .orderBy('companies.id')
    .limit(1)
    .execute()
}

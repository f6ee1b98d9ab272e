import type { Row } from '../../records/resource.ts'
import { spelledPhone } from './contacts/phones.ts'

/** Searchable text of a contact besides the name: each phone number in the ways in which people write it. */
export function searchBody(row: Row<'contacts'>): string {
  const emails = JSON.parse(row.emails_json) as string[]
  const phones = (JSON.parse(row.phones_json) as string[]).flatMap(spelledPhone)
  const fields = Object.values(
    JSON.parse(row.custom_fields_json) as Record<string, unknown>,
  ).flatMap((value) => (typeof value === 'string' || Array.isArray(value) ? value : []))
  return [row.title ?? '', ...emails, ...phones, ...fields, row.note ?? '']
    .filter((email) => email !== '')
    .join('\n')
}

import type { Row } from '../../records/resource.ts'
import { phoneNotations } from './contacts/phones.ts'

/** Searchable text of a contact besides the name: each phone number in its usual notations. */
export function contactSearchText(row: Row<'contacts'>): string {
  const emails = JSON.parse(row.emails_json) as string[]
  const phones = (JSON.parse(row.phones_json) as string[]).flatMap(phoneNotations)
  const fields = Object.values(
    JSON.parse(row.custom_fields_json) as Record<string, unknown>,
  ).flatMap((value) => (typeof value === 'string' || Array.isArray(value) ? value : []))
  return [row.title ?? '', ...emails, ...phones, ...fields, row.note ?? '']
    .filter((line) => line !== '')
    .join('\n')
}

import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

/** The only contact in a list, if any. @throws Refusal conflict if there are several */
export function requireAtMostOne(
  contacts: readonly Row<'contacts'>[],
): Row<'contacts'> | undefined {
  const [first, ...others] = contacts
  if (!first || others.length === 0) return first
  throw new Refusal(
    'conflict',
    `These addresses belong to ${contacts.length} contacts: ${contacts.map((row) => row.name).join(', ')}.`,
    {
      field: 'emails',
      hint: 'If they are the same person, merge them.',
      context: { existing_ids: contacts.map((row) => row.id) },
      next: {
        tool: 'merge_contacts',
        arguments: {
          contact_id: first.id,
          duplicate_ids: others.map((other) => other.id),
          dry_run: true,
        },
      },
    },
  )
}

/** @throws Refusal conflict if an address belongs to another contact */
export function requireUniqueContact(
  contactsWithAddresses: readonly Row<'contacts'>[],
  row: Row<'contacts'>,
): void {
  const other = contactsWithAddresses.find((item) => item.id !== row.id)
  if (!other) return
  throw new Refusal(
    'conflict',
    `One of these addresses belongs to another contact: ${other.name}.`,
    {
      field: 'emails',
      hint: 'If they are the same person, merge them; otherwise remove the address from the other contact first.',
      context: { existing_id: other.id },
      next: {
        tool: 'merge_contacts',
        arguments: { contact_id: row.id, duplicate_ids: [other.id], dry_run: true },
      },
    },
  )
}

import type { Row } from '../../../records/resource.ts'
import type { SearchLine } from '../../../records/search-text.ts'

/** Searchable text of a message: its own words, its addresses, and its attachments by name and text. Excludes spam. */
export function emailSearchLines(
  row: Row<'emails'>,
  ownWords: string,
  attached: readonly Pick<Row<'email_attachments'>, 'id' | 'name' | 'text'>[],
): SearchLine[] {
  if (row.place === 'spam') return []
  const to =
    (JSON.parse(row.addresses_json) as Record<string, { name?: string; email: string }[]>).to ?? []
  const names = [
    { name: row.from_name ?? undefined, email: row.from_email },
    ...to.slice(0, 20),
  ].map((item) => `${item.name ?? ''} ${item.email}`.trim())
  const at = {
    container: row.account_id,
    item_id: row.id,
    item_type: 'email',
    at: row.received_at,
  } as const
  return [
    { ...at, ref: `${row.id}:body`, part: 'item', title: row.subject, body: ownWords },
    { ...at, ref: `${row.id}:who`, part: 'item', title: '', body: names.join('\n') },
    ...attached.map((item) => ({
      ...at,
      ref: `${row.id}:${item.id}`,
      part: 'attachment' as const,
      title: item.name,
      body: item.text ?? '',
    })),
  ]
}

import type { Row } from '../../../records/resource.ts'
import type { SearchLine } from '../../../records/search-text.ts'

/** Searchable text of a message: its own text, its addresses, and its attachments by name and text. Empty for spam. */
export function emailSearchLines(
  row: Row<'emails'>,
  ownText: string,
  attachments: readonly Pick<Row<'email_attachments'>, 'id' | 'name' | 'text'>[],
): SearchLine[] {
  if (row.place === 'spam') return []
  const to =
    (JSON.parse(row.addresses_json) as Record<string, { name?: string; email: string }[]>).to ?? []
  const names = [
    { name: row.from_name ?? undefined, email: row.from_email },
    ...to.slice(0, 20),
  ].map((item) => `${item.name ?? ''} ${item.email}`.trim())
  const common = {
    container: row.account_id,
    item_id: row.id,
    item_type: 'email',
    at: row.received_at,
  } as const
  return [
    { ...common, ref: `${row.id}:body`, part: 'item', title: row.subject, body: ownText },
    { ...common, ref: `${row.id}:who`, part: 'item', title: '', body: names.join('\n') },
    ...attachments.map((item) => ({
      ...common,
      ref: `${row.id}:${item.id}`,
      part: 'attachment' as const,
      title: item.name,
      body: item.text ?? '',
    })),
  ]
}

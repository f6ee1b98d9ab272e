import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { email } from '../access.ts'

/** Number of messages of a sender that are examined. */
const maxExamined = 1000

/**
 * Messages in the inbox of the same newsletter as a message, newest first: from the same sender, with an unsubscribe
 * method, and of the same list (List-Id). Other mail of that sender, such as invoices and alerts, is excluded.
 */
export async function sameNewsletter(
  viewer: Viewer,
  row: Row<'emails'>,
): Promise<Row<'emails'>['id'][]> {
  const candidates = await email
    .editableBy(viewer)
    .select('emails.id')
    .where('emails.account_id', '=', row.account_id)
    .where('emails.from_email', '=', row.from_email)
    .where('emails.place', '=', 'inbox')
    .where('emails.unsubscribe_json', 'is not', null)
    .orderBy('emails.received_at', 'desc')
    .orderBy('emails.id', 'desc')
    .limit(maxExamined)
    .execute()
  const lists = await listIds(viewer, [row.id, ...candidates.map((item) => item.id)])
  const list = lists.get(row.id)
  return candidates.map((item) => item.id).filter((id) => lists.get(id) === list)
}

/** The List-Id of messages; no entry if there is none, or the headers are not stored yet. */
async function listIds(
  reader: Viewer,
  ids: readonly Row<'emails'>['id'][],
): Promise<Map<string, string>> {
  const rows = await accessScopeOf(reader)
    .all.selectFrom('email_bodies')
    .select(['email_id', 'headers_json'])
    .where('email_id', 'in', ids)
    .execute()
  return new Map(
    rows.flatMap(({ email_id, headers_json }): [string, string][] => {
      const headers = JSON.parse(headers_json) as { name: string; value: string }[]
      const value = headers.find(({ name }) => name.toLowerCase() === 'list-id')?.value
      return value === undefined ? [] : [[email_id, identifierIn(value)]]
    }),
  )
}

/** `Weekly news <news.example.com>`: the part in brackets identifies a list (RFC 2919). */
function identifierIn(value: string): string {
  return (/<([^<>]*)>[^<>]*$/.exec(value)?.[1] ?? value).trim().toLowerCase()
}

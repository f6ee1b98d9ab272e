import { shape } from '../../../kernel/shape.ts'
import { z } from 'zod'
import { pageOf, paging } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { badCursor, cut, decodeCursor, encodeCursor } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { contact } from '../access.ts'
import { duplicateCandidates } from './access-matches.ts'
import { duplicateGroups, type Group } from './rules.ts'
import { ListedContact, presentContacts } from '../shapes.ts'

const DuplicateGroup = shape('DuplicateGroup', {
  contacts: z.array(ListedContact),
  reason: z
    .enum(['same_email', 'same_phone', 'similar_name_and_company'])
    .describe('same_email: addresses of the same mailbox'),
  confidence: z.number(),
  suggested_keep: z.string().describe('the most complete contact'),
})

export const findDuplicateContacts = operation({
  name: 'find_duplicate_contacts',
  searchHint: 'duplicate customers, double entries, clean up the address book',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/contacts/duplicates',
  about: 'Groups of contacts that look like the same person, with the reason',
  input: paging,
  output: pageOf(DuplicateGroup),
  async handle({ limit, cursor }, ctx) {
    const groups = duplicateGroups(await duplicateCandidates(ctx))
    const page = cut(groupsAfter(groups, cursor).slice(0, limit + 1), limit, (last) =>
      encodeCursor(['duplicates', last.confidence, last.ids[0]!, last.reason]),
    )
    const rows = await contact.among(
      ctx,
      page.items.flatMap((group) => group.ids),
    )
    const shapes = new Map(
      (await presentContacts(ctx, [...rows.values()])).map((listedContact) => [
        listedContact.id,
        listedContact,
      ]),
    )
    const presentGroup = ({ ids, reason, confidence }: Group) => ({
      contacts: ids.flatMap((id) => shapes.get(id) ?? []),
      reason,
      confidence,
      suggested_keep: idOfFullest(ids.flatMap((id) => rows.get(id) ?? [])),
    })
    return { ...page, items: page.items.map(presentGroup) }
  },
})

/** Groups after the one in the cursor, which may have been merged since. */
function groupsAfter(groups: readonly Group[], cursor: string | undefined): readonly Group[] {
  if (cursor === undefined) return groups
  const [kind, confidence, id, reason] = decodeCursor(cursor)
  if (
    kind !== 'duplicates' ||
    typeof confidence !== 'number' ||
    typeof id !== 'string' ||
    typeof reason !== 'string'
  )
    throw badCursor()
  const index = groups.findIndex(
    (group) => group.confidence === confidence && group.ids[0] === id && group.reason === reason,
  )
  if (index >= 0) return groups.slice(index + 1)
  return groups.filter(
    (group) =>
      group.confidence < confidence || (group.confidence === confidence && group.ids[0]! > id),
  )
}

function idOfFullest(rows: readonly Row<'contacts'>[]): string {
  const completeness = (row: Row<'contacts'>) =>
    [row.title, row.company_id, row.owner_id, row.note, row.last_contacted_at].filter(
      (item) => item !== null,
    ).length +
    (JSON.parse(row.emails_json) as string[]).length +
    (JSON.parse(row.phones_json) as string[]).length
  return [...rows].sort(
    (a, b) =>
      completeness(b) - completeness(a) ||
      (b.last_contacted_at ?? 0) - (a.last_contacted_at ?? 0) ||
      (a.id < b.id ? -1 : 1),
  )[0]!.id
}

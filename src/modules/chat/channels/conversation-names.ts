import type { Searcher } from '../../../operations/search/searchable.ts'
import type { Row } from '../../../records/resource.ts'
import { peopleRefs } from '../../directory/shapes.ts'

/** Ids of a conversation's people; each set of people has one conversation. */
export function conversationPeopleIds(row: Pick<Row<'channels'>, 'people_key'>): string[] {
  return row.people_key?.split(' ') ?? []
}

export function peopleKey(ids: readonly string[]): string {
  return [...new Set(ids)].sort().join(' ')
}

/** Display names of conversations for the caller, by id: the other people in them, or the caller if alone. */
export async function conversationNames(
  ctx: Searcher,
  rows: readonly Row<'channels'>[],
): Promise<Map<string, string>> {
  const conversations = rows.filter((row) => row.people_key !== null)
  const people = await peopleRefs(ctx, conversations.flatMap(conversationPeopleIds))
  return new Map(
    conversations.map((row) => {
      const others = conversationPeopleIds(row).filter((id) => id !== ctx.actor.id)
      const memberNames = (others.length > 0 ? others : [ctx.actor.id]).map(
        (id) => people.get(id)?.title ?? '',
      )
      return [row.id, memberNames.sort((a, b) => a.localeCompare(b)).join(', ')]
    }),
  )
}

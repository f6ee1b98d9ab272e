import { searchable } from '../../operations/search/searchable.ts'
import { prepared } from '../../records/prepared.ts'
import { person } from '../directory/access.ts'
import { channel, channelMember, isExternalMessage, message } from './access.ts'
import { conversationNames } from './channels/conversation-names.ts'

const ownChannels = prepared((scope) =>
  channelMember.of(scope, [scope.actor.id], 'person_id').select('channel_members.channel_id'),
)

/** Messages of the caller's channels and conversations. */
export const searchableMessages = searchable({
  kind: 'message',
  source: 'messages',
  resource: message,
  containers: async (ctx) => (await ownChannels(ctx, {})).map((row) => row.channel_id),
  narrow: (_, messages, { project, person: author }) => {
    if (project) return undefined
    if (!author) return messages
    return messages
      .where('messages.created_by', '=', author.id)
      .where('messages.imported_from', 'is', null)
  },
  // Excludes imported messages: the person who imported them did not write them.
  work: async (_, rows) =>
    new Map(
      rows
        .filter((row) => row.imported_from === null)
        .map((row) => [
          row.id,
          [{ person: row.created_by, did: 'wrote this message', weight: 0.6 }],
        ]),
    ),
  async facts(ctx, rows) {
    const people = await person.among(
      ctx,
      rows.map((row) => row.created_by),
    )
    const channels = await channel.among(
      ctx,
      rows.map((row) => row.channel_id),
    )
    const names = await conversationNames(ctx, [...channels.values()])
    return new Map(
      rows.map((row) => {
        const channelRow = channels.get(row.channel_id)
        const ref = channelRow && channel.ref(channelRow, ctx.baseUrl)
        const place = ref && { ...ref, title: names.get(ref.id) ?? ref.title }
        const author =
          row.imported_from === null
            ? people.get(row.created_by)?.display_name
            : row.imported_author
        const trust = isExternalMessage(row) ? ('external' as const) : ('internal' as const)
        return [row.id, { people: author ? [author] : [], trust, place }]
      }),
    )
  },
})

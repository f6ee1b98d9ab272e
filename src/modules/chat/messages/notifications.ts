import type { WriteContext } from '../../../operations/context.ts'
import type { Row } from '../../../records/resource.ts'
import { participantsOf } from './access.ts'
import { activeMembers } from '../channels/memberships.ts'

/** Notifies people mentioned in a message: by a personal event and a notification. */
export async function notifyMentionedMembers(
  ctx: WriteContext,
  channel: Row<'channels'>,
  row: Row<'messages'>,
  mentions: { people: readonly string[]; everybody: boolean },
): Promise<void> {
  const members = mentions.everybody
    ? (await activeMembers(ctx, channel.id)).map((activeMember) => activeMember.id as string)
    : []
  const people = [...new Set([...mentions.people, ...members])].filter((id) => id !== ctx.actor.id)
  for (const id of people) ctx.event('message.mentioned_me', 'messages', row, id)
  ctx.notify(
    'mention',
    people,
    'messages',
    row,
    `${ctx.actor.display_name} mentioned you in ${conversationLabel(channel)}`,
  )
}

/**
 * Notifies people concerned by a new message without a mention: the others of a conversation, and thread
 * participants.
 */
export async function notifyOthers(
  ctx: WriteContext,
  channel: Row<'channels'>,
  row: Row<'messages'>,
  root: Row<'messages'> | undefined,
): Promise<void> {
  const { display_name: name } = ctx.actor
  if (channel.people_key !== null)
    ctx.notify(
      'mention',
      (await activeMembers(ctx, channel.id)).map((activeMember) => activeMember.id),
      'messages',
      row,
      `${name} wrote to you`,
    )
  else if (root)
    ctx.notify(
      'comment',
      await participantsOf(ctx, root),
      'messages',
      row,
      `${name} replied in a thread you follow in ${conversationLabel(channel)}`,
    )
}

function conversationLabel({ name }: Row<'channels'>): string {
  return name === null ? 'a conversation' : `#${name}`
}

import { omitNullish } from '../../../kernel/present.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { channel, isMember } from '../access.ts'

/** @throws Refusal permission_denied: knowing of a public channel does not allow reading it */
export async function requireMembership(ctx: ReadContext, row: Row<'channels'>): Promise<void> {
  if (await isMember(ctx, row.id)) return
  throw new Refusal(
    'permission_denied',
    `You are not a member of #${row.name}; only members can read its messages.`,
    omitNullish({
      hint:
        row.archived_at === null
          ? 'Join it first with join_channel.'
          : 'It is archived, so it cannot be joined.',
      next:
        row.archived_at === null
          ? { tool: 'join_channel', arguments: { channel_id: row.id } }
          : undefined,
    }),
  )
}

/** @throws Refusal conflict if the channel is archived */
export function requireOpenChannel(row: Row<'channels'>): void {
  if (row.archived_at === null) return
  throw new Refusal('conflict', `#${row.name} is archived and read-only.`, {
    hint: 'Any member can reopen it with archive_channel(archived=false).',
    next: { tool: 'archive_channel', arguments: { channel_id: row.id, archived: false } },
  })
}

/** @throws Refusal conflict: a conversation has only its people and no settings */
export function requireNamedChannel(row: Row<'channels'>, restriction: string): void {
  if (row.people_key === null) return
  throw new Refusal('conflict', `This is a direct conversation; ${restriction}.`, {
    hint: 'To message other people, use send_direct_message. For a group that changes, use create_channel(kind=private).',
  })
}

/** The channel of a visible message. */
export async function channelOf(ctx: ReadContext, row: Row<'messages'>): Promise<Row<'channels'>> {
  return (await channel.among(ctx, [row.channel_id])).get(row.channel_id)!
}

/** @throws Refusal conflict if the message is deleted */
export function requireNotDeleted(row: Row<'messages'>): void {
  if (row.erased_at !== null) throw new Refusal('conflict', 'This message was deleted.')
}

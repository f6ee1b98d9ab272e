import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { channelMember } from '../access.ts'

// Channels owned by another module's item: those responsible for the item control them, even without being members.

/** A channel by the id stored in the item. */
export function channelById(
  viewer: Viewer,
  id: Id<'channels'>,
): Promise<Row<'channels'> | undefined> {
  return accessScopeOf(viewer)
    .all.selectFrom('channels')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirst()
}

/** Restricts a channel to some people: it becomes private, and all others are removed. */
export async function restrictChannel(
  ctx: WriteContext,
  row: Row<'channels'>,
  remainingIds: ReadonlySet<string>,
): Promise<void> {
  const members = await channelMember.of(ctx, [row.id]).selectAll('channel_members').execute()
  for (const member of members)
    if (!remainingIds.has(member.person_id)) await removeFromChannel(ctx, row, member)
  await ctx.change('channels', row, { kind: 'private' })
}

/** Makes a channel public again. */
export async function makePublic(ctx: WriteContext, row: Row<'channels'>): Promise<void> {
  await ctx.change('channels', row, { kind: 'public' })
}

/** Removes a person from a channel, even the last one: the item's people can rejoin at any time. */
export async function removeFromChannel(
  ctx: WriteContext,
  row: Row<'channels'>,
  membership: Row<'channel_members'>,
): Promise<void> {
  await ctx.remove('channel_members', membership)
  ctx.access('access_lost', 'channels', row, membership.person_id)
}

/** Closes a channel to new messages, or opens it again. */
export async function setArchived(
  ctx: WriteContext,
  row: Row<'channels'>,
  archived: boolean,
): Promise<void> {
  if (archived === (row.archived_at !== null)) return
  const changed = await ctx.change('channels', row, { archived_at: archived ? ctx.now : null })
  ctx.event(archived ? 'channel.archived' : 'channel.reopened', 'channels', changed)
}

import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { channelMember, setReadToEnd } from '../access.ts'

/** @throws Refusal invalid_argument naming deactivated people */
export function requireReachable(people: readonly Row<'users'>[], field: string): void {
  const i = people.findIndex((row) => row.status === 'deactivated')
  if (i >= 0)
    throw invalid(`${field}[${i}]`, `${people[i]!.display_name} is deactivated and cannot read it.`)
}

export async function membershipOf(
  ctx: ReadContext,
  channelId: Id<'channels'>,
  personId: Id<'users'>,
): Promise<Row<'channel_members'> | undefined> {
  return channelMember
    .of(ctx, [channelId])
    .selectAll('channel_members')
    .where('channel_members.person_id', '=', personId)
    .executeTakeFirst()
}

/** Ids of all channel members. */
async function memberIds(ctx: ReadContext, channelId: Id<'channels'>): Promise<Id<'users'>[]> {
  const rows = await channelMember
    .of(ctx, [channelId])
    .select('channel_members.person_id')
    .execute()
  return rows.map((row) => row.person_id as Id<'users'>)
}

/** Channel members who can be reached. */
export async function activeMembers(
  ctx: ReadContext,
  channelId: Id<'channels'>,
): Promise<Row<'users'>[]> {
  const people = await person.among(ctx, await memberIds(ctx, channelId))
  return [...people.values()].filter((row) => row.status !== 'deactivated')
}

/**
 * Adds people to a channel, which becomes visible to them, and notifies those added by someone else. Existing members
 * stay unchanged.
 */
export async function addMembers(
  ctx: WriteContext,
  row: Row<'channels'>,
  people: readonly Id<'users'>[],
): Promise<void> {
  const currentMembers = new Set<string>(await memberIds(ctx, row.id))
  const added = [...new Set(people)].filter((id) => !currentMembers.has(id))
  for (const person_id of added) {
    await ctx.add('channel_members', { channel_id: row.id, person_id })
    ctx.access('access_gained', 'channels', row, person_id)
  }
  await setReadToEnd(ctx, row, added)
  if (row.name !== null)
    ctx.notify(
      'invite',
      added,
      'channels',
      row,
      `${ctx.actor.display_name} added you to #${row.name}`,
    )
}

/** Removes a person from a channel, which is then invisible to them. */
export async function removeMember(
  ctx: WriteContext,
  row: Row<'channels'>,
  membership: Row<'channel_members'>,
): Promise<void> {
  await requireRemainingMember(ctx, row, membership.person_id)
  await ctx.remove('channel_members', membership)
  ctx.access('access_lost', 'channels', row, membership.person_id)
}

/** Refuses the removal of the last member of a private channel: its messages would be left without a reader. */
async function requireRemainingMember(
  ctx: ReadContext,
  row: Row<'channels'>,
  leaving: string,
): Promise<void> {
  if (row.kind !== 'private') return
  if ((await activeMembers(ctx, row.id)).some((activeMember) => activeMember.id !== leaving)) return
  throw new Refusal(
    'conflict',
    `You are the last active member of #${row.name}: if you leave, no one can read its messages.`,
    { hint: 'Add someone first, or close it with archive_channel.' },
  )
}

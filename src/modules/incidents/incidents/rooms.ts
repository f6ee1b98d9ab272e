import { omitNullish } from '../../../kernel/present.ts'
import type { WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { channelMember, isMember, isNameTaken } from '../../chat/access.ts'
import {
  restrictChannel,
  makePublic,
  removeFromChannel,
  channelById,
  setArchived,
  addMembers,
} from '../../chat/shapes.ts'
import { holdersOf, incidentChannel } from '../access.ts'

type Incident = Row<'incidents'>

const maxNameLength = 60
const maxSummaryLength = 4000

/** Opens an incident's channel with its role holders, and posts a summary. */
export async function openRoom(
  ctx: WriteContext,
  row: Incident,
  people: readonly Id<'users'>[],
): Promise<void> {
  const { id } = await ctx.call<{ id: Id<'channels'> }>(
    'create_channel',
    omitNullish({
      name: await freeName(ctx, row),
      kind: row.restricted === 1 ? 'private' : 'public',
      purpose: `Response to ${row.key}`,
      member_ids: people.length > 0 ? people : undefined,
    }),
  )
  await ctx.add('incident_channels', { incident_id: row.id, channel_id: id })
  const summary = row.summary_markdown?.slice(0, maxSummaryLength).toWellFormed()
  await postInRoom(
    ctx,
    row,
    [
      `**${row.key} (${row.severity}): ${row.title.replaceAll(/\s+/g, ' ')}**`,
      ...(summary?.trim() ? [summary] : []),
    ].join('\n\n'),
  )
}

/** inc-7-short-title, in letters, digits and dashes; inc-7 if people outside wrote the title. */
function roomName({ key, title, trust }: Pick<Incident, 'key' | 'title' | 'trust'>): string {
  if (trust === 'external') return key.toLowerCase()
  const slug = title
    .normalize('NFC')
    .toLowerCase()
    .replaceAll(/[^\p{L}\p{N}]+/gu, '-')
    .replaceAll(/^-+|-+$/g, '')
  const name = [...`${key.toLowerCase()}-${slug}`].slice(0, maxNameLength).join('')
  return (
    slug.length > 0 && name.length < `${key}-${slug}`.length ? name.replace(/-[^-]*$/, '') : name
  ).replace(/-+$/, '')
}

/** A long one-word title is truncated; a used name gets a number. */
async function freeName(ctx: WriteContext, row: Incident): Promise<string> {
  const name = roomName(row)
  for (let n = 1; ; n++) {
    const candidate = n === 1 ? name : `${name}-${n}`
    if (!(await isNameTaken(ctx, candidate))) return candidate
  }
}

async function roomOfIncident(
  ctx: WriteContext,
  row: Incident,
): Promise<Row<'channels'> | undefined> {
  const channelLink = await incidentChannel
    .of(ctx, [row.id])
    .select('incident_channels.channel_id')
    .executeTakeFirst()
  return channelLink && channelById(ctx, channelLink.channel_id as Id<'channels'>)
}

/** Posts in an incident's channel in the caller's name, if they are a member and it is open. */
export async function postInRoom(ctx: WriteContext, row: Incident, text: string): Promise<void> {
  const room = await roomOfIncident(ctx, row)
  if (room && room.archived_at === null && (await isMember(ctx, room.id)))
    await ctx.call('send_message', { channel_id: room.id, body_markdown: text })
}

/** Adds people to an incident's channel. */
export async function addToRoom(
  ctx: WriteContext,
  row: Incident,
  people: readonly Id<'users'>[],
): Promise<void> {
  const room = await roomOfIncident(ctx, row)
  if (room && room.archived_at === null) await addMembers(ctx, room, people)
}

/** Removes a person without a role from a restricted incident's channel, unless they stay for another reason. */
export async function removeFromRoom(
  ctx: WriteContext,
  row: Incident,
  personId: string,
): Promise<void> {
  const room = await roomOfIncident(ctx, row)
  const membership =
    room &&
    (await channelMember
      .of(ctx, [room.id])
      .selectAll('channel_members')
      .where('channel_members.person_id', '=', personId as Id<'users'>)
      .executeTakeFirst())
  if (membership) await removeFromChannel(ctx, room, membership)
}

/** Updates the channel's access: that of a restricted incident is for its role holders. */
export async function syncRoomAccess(ctx: WriteContext, row: Incident): Promise<void> {
  const room = await roomOfIncident(ctx, row)
  if (!room) return
  if (row.restricted === 0) return makePublic(ctx, room)
  const holders = (await holdersOf(ctx, [row.id])).map((holder) => holder.person_id as string)
  await restrictChannel(ctx, room, new Set([...holders, ctx.actor.id])) // an administrator who restricts it stays
}

/** Archives a closed incident's channel. */
export async function archiveRoom(
  ctx: WriteContext,
  row: Incident,
  archived: boolean,
): Promise<void> {
  const room = await roomOfIncident(ctx, row)
  if (room) await setArchived(ctx, room, archived)
}

import { omitNullish } from '../../../kernel/present.ts'
import type { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf, type Ref } from '../../../records/shapes.ts'
import { project } from '../../portfolio/access.ts'
import { projectRef } from '../../portfolio/shapes.ts'
import { channel, channelMember, channelOpeners } from '../access.ts'
import { memberChannelIds, memberCounts, pinnedMessages } from '../messages/access.ts'
import { unreadIn, type ChannelUnread } from '../messages/access-unread.ts'
import { conversationNames, conversationPeopleIds } from './conversation-names.ts'
import type { Channel } from '../shapes.ts'
import { presentMessages } from '../messages/presenter.ts'

type ChannelShape = z.infer<typeof Channel>

interface ChannelData {
  joinedIds: Set<string>
  names: Map<string, string>
  people: Map<string, Ref>
  counts: Map<string, number>
  projects: Map<string, Row<'projects'>>
  incidents: Map<string, Ref>
  unread: Map<string, ChannelUnread>
}

/** Channels for lists, with a fixed number of queries. The rows are already visible. */
export async function presentChannels(
  ctx: ReadContext,
  rows: readonly Row<'channels'>[],
): Promise<ChannelShape[]> {
  const ids = rows.map((row) => row.id)
  const data = {
    joinedIds: await memberChannelIds(ctx, ids),
    names: await conversationNames(ctx, rows),
    people: await peopleRefs(
      ctx,
      rows.flatMap((row) => [row.created_by, ...conversationPeopleIds(row)]),
    ),
    counts: await memberCounts(ctx, ids),
    projects: await project.among(
      ctx,
      rows.flatMap((row) => row.project_id ?? []),
    ),
    incidents: await incidentsOf(ctx, ids),
    unread: await unreadIn(ctx, ids),
  }
  return rows.map((row) => presentChannel(ctx, row, data))
}

function presentChannel(
  ctx: ReadContext,
  row: Row<'channels'>,
  { joinedIds, names, people, counts, projects, incidents, unread }: ChannelData,
): ChannelShape {
  const { key, title } = channel.ref(row, ctx.baseUrl)
  const linkedProject = row.project_id && projects.get(row.project_id)
  const incident = incidents.get(row.id)
  const unreadState = unread.get(row.id)
  return omitNullish({
    ...commonOf(row, channel.url(row, ctx.baseUrl), people),
    key,
    name: names.get(row.id) ?? title,
    kind: row.kind,
    joined: joinedIds.has(row.id),
    topic: row.topic,
    purpose: row.purpose,
    members:
      row.people_key === null
        ? undefined
        : conversationPeopleIds(row).flatMap((id) => people.get(id) ?? []),
    member_count: counts.get(row.id) ?? 0,
    project: linkedProject ? projectRef(linkedProject) : undefined,
    incident,
    archived: row.archived_at !== null,
    last_message_at: row.last_message_at === null ? undefined : iso(row.last_message_at),
    unread: unreadState
      ? { total: unreadState.total, mentions: unreadState.mentions, read_seq: unreadState.seq }
      : { total: 0, mentions: 0 },
  })
}

/** Incidents of channels, if visible to the caller. */
async function incidentsOf(
  ctx: ReadContext,
  ids: readonly Id<'channels'>[],
): Promise<Map<string, Ref>> {
  const incidentsByChannel = new Map<string, Ref>()
  for (const { openersOf } of channelOpeners.entries)
    for (const [id, ref] of await openersOf(ctx, ids)) incidentsByChannel.set(id, ref)
  return incidentsByChannel
}

/** One complete channel, read again to include this call's changes: with members and pinned messages for members. */
export async function presentOneChannel(
  ctx: ReadContext,
  id: Id<'channels'>,
): Promise<ChannelShape> {
  const row = (await channel.among(ctx, [id])).get(id)!
  const [shape] = await presentChannels(ctx, [row])
  if (!shape!.joined) return shape!
  const members = await channelMember
    .of(ctx, [id])
    .select('channel_members.person_id')
    .orderBy('channel_members.added_at')
    .orderBy('channel_members.person_id')
    .execute()
  const people = await peopleRefs(
    ctx,
    members.map((member) => member.person_id),
  )
  return {
    ...shape!,
    members: members.flatMap((member) => people.get(member.person_id) ?? []),
    pinned: await presentMessages(ctx, await pinnedMessages(ctx, id)),
  }
}

import type { Id } from '../../../kernel/ids.ts'
import { omitUndefined } from '../../../kernel/present.ts'
import { z } from 'zod'
import { paging, pageOf, shortText } from '../../../kernel/fields.ts'
import { containsText } from '../../../db/text-conditions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied, Refusal } from '../../../kernel/refusal.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { person } from '../../directory/access.ts'
import { project } from '../../portfolio/access.ts'
import { channel, isNameTaken, isChannelMember } from '../access.ts'
import { channelName } from './channel-names.ts'
import { unreadIn } from '../messages/access-unread.ts'
import { requireNamedChannel, requireOpenChannel } from './membership-checks.ts'
import { requireReachable, addMembers } from './memberships.ts'
import { Channel, channelKinds } from '../shapes.ts'
import { presentChannels, presentOneChannel } from './presenter.ts'

const order = [
  { by: 'channels.name', as: 'name', dir: 'asc', nullable: true },
  { by: 'channels.id', as: 'id', dir: 'desc' },
] as const
const channelText = () => shortText(1000)

export const listChannels = operation({
  name: 'list_channels',
  searchHint: 'chat rooms, find a channel, my channels, which channels are there',
  kind: 'read',
  rest: 'GET /api/channels',
  about: 'Your channels and direct conversations, or public channels you can join',
  input: {
    kind: z.array(z.enum(channelKinds)).max(4).optional(),
    joined: z
      .boolean()
      .optional()
      .describe('true: those you are in; false: public ones you can join; default: both'),
    query: shortText(200)
      .optional()
      .describe('words in the name, topic or purpose, or in the name of a participant'),
    archived: z.boolean().optional().describe('default: only open ones; true: only archived ones'),
    has_unread: z.boolean().optional(),
    ...paging,
  },
  output: pageOf(Channel),
  async handle({ kind, joined, query, archived = false, has_unread, limit, cursor }, ctx) {
    let channelQuery = channel
      .visibleTo(ctx)
      .selectAll('channels')
      .where('channels.archived_at', archived ? 'is not' : 'is', null)
    if (kind && kind.length > 0) channelQuery = channelQuery.where('channels.kind', 'in', kind)
    if (joined !== undefined)
      channelQuery = channelQuery.where((eb) =>
        joined ? isChannelMember(ctx) : eb.not(isChannelMember(ctx)),
      )
    if (query) {
      const words = query.trim().replace(/^#/, '')
      const people = await peopleByName(ctx, words)
      channelQuery = channelQuery.where((eb) =>
        eb.or([
          containsText(['channels.name', 'channels.topic', 'channels.purpose'], words),
          ...people.map((id) => eb('channels.people_key', 'like', `%${id}%`)),
        ]),
      )
    }
    if (has_unread !== undefined) {
      const ids = [...(await unreadIn(ctx)).keys()]
      channelQuery = channelQuery.where(
        'channels.id',
        has_unread ? 'in' : 'not in',
        ids as Id<'channels'>[],
      )
    }
    const page = await paged(channelQuery, order, { limit, cursor })
    return pageWithItems(page, await presentChannels(ctx, page.items))
  },
})

const maxPeople = 50

/** Ids of people whose names contain the words; conversations are found by their people. */
async function peopleByName(ctx: ReadContext, words: string): Promise<string[]> {
  if (words === '') return []
  const rows = await person
    .visibleTo(ctx)
    .select('users.id')
    .where(containsText(['users.display_name'], words))
    .limit(maxPeople)
    .execute()
  return rows.map((row) => row.id)
}

export const getChannel = operation({
  name: 'get_channel',
  searchHint: 'who is in the channel, channel topic, pinned posts',
  kind: 'read',
  rest: 'GET /api/channels/{channel_id}',
  about: 'One channel by id or #name with topic, members and pinned messages',
  on: { channel: channel.see },
  output: Channel,
  handle: ({ channel: row }, ctx) => presentOneChannel(ctx, row.id),
})

export const createChannel = operation({
  name: 'create_channel',
  searchHint: 'new chat room, start a group chat, slack channel',
  kind: 'write',
  rest: 'POST /api/channels',
  about: 'Create a public or private channel',
  on: { members: person.see.many.maybe, project: project.see.maybe },
  input: {
    name: z.string().min(1).max(200).describe('such as team-news; in lower case'),
    kind: z
      .enum(['public', 'private'])
      .default('public')
      .describe('public: everyone except guests can see and join it'),
    topic: channelText().optional().describe('current topic'),
    purpose: channelText().optional(),
  },
  output: Channel,
  async handle({ members = [], project, name, kind, topic, purpose }, ctx) {
    if (ctx.actor.role === 'guest')
      throw denied(
        'Guests cannot create channels; ask a member of the organization to create one and add you.',
      )
    const storedName = await requireFreeName(ctx, name)
    requireReachable(members, 'member_ids')
    const row = await ctx.add('channels', {
      kind,
      name: storedName,
      topic: topic?.trim() || null,
      purpose: purpose?.trim() || null,
      project_id: project?.id ?? null,
      last_seq: 0,
    })
    await addMembers(ctx, row, [ctx.actor.id, ...members.map((member) => member.id)])
    return presentOneChannel(ctx, row.id)
  },
})

export const updateChannel = operation({
  name: 'update_channel',
  searchHint: 'rename a channel, set the topic',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/channels/{channel_id}',
  about: 'Rename a channel or change topic, purpose or linked project',
  on: { channel: channel.edit, project: project.see.clearable },
  revision: 'channel',
  input: {
    name: z.string().min(1).max(200).optional(),
    topic: channelText().nullable().optional(),
    purpose: channelText().nullable().optional(),
  },
  output: Channel,
  async handle({ channel: row, project, name, topic, purpose }, ctx) {
    requireNamedChannel(row, 'its name and topic cannot be changed')
    requireOpenChannel(row)
    const storedName =
      name === undefined || channelName(name) === row.name
        ? undefined
        : await requireFreeName(ctx, name)
    await ctx.change(
      'channels',
      row,
      omitUndefined({
        name: storedName,
        topic: topic === undefined ? undefined : topic?.trim() || null,
        purpose: purpose === undefined ? undefined : purpose?.trim() || null,
        project_id: project === undefined ? undefined : (project?.id ?? null),
      }),
    )
    return presentOneChannel(ctx, row.id)
  },
})

export const archiveChannel = operation({
  name: 'archive_channel',
  searchHint: 'close a channel, shut a chat room, freeze a channel',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/channels/{channel_id}/archive',
  about: 'Close a channel to new messages, or reopen it with archived=false',
  on: { channel: channel.edit },
  input: { archived: z.boolean().default(true).describe('false reopens it') },
  output: Channel,
  async handle({ channel: row, archived }, ctx) {
    requireNamedChannel(row, 'it cannot be archived')
    if (archived !== (row.archived_at !== null)) {
      await ctx.change('channels', row, { archived_at: archived ? ctx.now : null })
      if (archived) ctx.event('channel.archived', 'channels', row)
      else ctx.event('channel.reopened', 'channels', row)
    }
    return presentOneChannel(ctx, row.id)
  },
})

/** The stored form of a name that no channel of the organization has, not even an archived or invisible one. */
async function requireFreeName(ctx: ReadContext, text: string): Promise<string> {
  const name = channelName(text)
  if (await isNameTaken(ctx, name))
    throw new Refusal('conflict', `The name #${name} is already taken.`, {
      field: 'name',
      hint: 'Choose another name. Archived channels and private channels you cannot see also keep their names.',
    })
  return name
}

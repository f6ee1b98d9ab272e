import { operation } from '../../../operations/operation.ts'
import { denied, notFound } from '../../../kernel/refusal.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { channel } from '../access.ts'
import { requireNamedChannel, requireOpenChannel } from './membership-checks.ts'
import { requireReachable, membershipOf, addMembers, removeMember } from './memberships.ts'
import { Channel } from '../shapes.ts'
import { presentOneChannel } from './presenter.ts'

export const joinChannel = operation({
  name: 'join_channel',
  searchHint: 'get into a channel, enter a room, subscribe',
  kind: 'write',
  idempotent: true,
  rest: 'PUT /api/channels/{channel_id}/members/me',
  about: 'Join a public channel',
  on: { channel: channel.see },
  output: Channel,
  async handle({ channel: row }, ctx) {
    if (!(await membershipOf(ctx, row.id, ctx.actor.id))) {
      requireOpenChannel(row)
      await addMembers(ctx, row, [ctx.actor.id])
    }
    return presentOneChannel(ctx, row.id)
  },
})

export const leaveChannel = operation({
  name: 'leave_channel',
  searchHint: 'get out of a channel, quit a room, unsubscribe',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/channels/{channel_id}/members/me',
  about: 'Leave a channel',
  on: { channel: channel.see },
  output: DeletedRef,
  async handle({ channel: row }, ctx) {
    requireNamedChannel(row, 'you cannot leave it')
    const membership = await membershipOf(ctx, row.id, ctx.actor.id)
    if (membership) await removeMember(ctx, row, membership)
    return deletedRef(ctx, channel.ref(row, ctx.baseUrl), [], { erased: true })
  },
})

export const addChannelMembers = operation({
  name: 'add_channel_members',
  searchHint: 'invite to a chat, bring into the channel, add to the room',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/channels/{channel_id}/members',
  about: 'Invite people to a channel',
  on: { channel: channel.edit, persons: person.see.many.named('person_ids') },
  output: Channel,
  async handle({ channel: row, persons }, ctx) {
    requireNamedChannel(row, 'people cannot be added to it')
    requireOpenChannel(row)
    requireReachable(persons, 'person_ids')
    await addMembers(
      ctx,
      row,
      persons.map((item) => item.id),
    )
    return presentOneChannel(ctx, row.id)
  },
})

export const removeChannelMember = operation({
  name: 'remove_channel_member',
  searchHint: 'kick out of the channel, throw out of the chat',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/channels/{channel_id}/members/{person_id}',
  about: 'Remove a person from a channel',
  on: { channel: channel.see, person: person.see },
  output: DeletedRef,
  async handle({ channel: row, person: member }, ctx) {
    requireNamedChannel(row, 'people cannot be removed from it')
    if (member.id !== ctx.actor.id && !(await channel.find(ctx, row.id, 'edit')))
      throw denied(channel.definition.rule!.edit!)
    const membership = await membershipOf(ctx, row.id, member.id)
    if (!membership) throw notFound('member of the channel', 'person_id')
    await removeMember(ctx, row, membership)
    return deletedRef(ctx, person.ref(member, ctx.baseUrl), [], { erased: true })
  },
})

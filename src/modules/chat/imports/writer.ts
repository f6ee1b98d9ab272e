import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import type { Id } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { channelMember, isNameTaken, setReadToEnd } from '../access.ts'
import { threadRootAt, reserveSeqs } from './access.ts'
import { channelName } from '../channels/channel-names.ts'
import type { SlackChannel, SlackMessage, SlackPerson } from './slack-export.ts'

/** Options of an import call. */
export interface ImportOptions {
  /** Names or ids of channels in the file; default: all. */
  channels?: readonly string[] | undefined
  /** Address or name of a person in the file → local id or address; null: no one. */
  people: Readonly<Record<string, string | null>>
}

/** Origin of an imported channel, as stored in channels.imported_ref. */
export const refOf = (channel: Pick<SlackChannel, 'ref'>) => `slack:${channel.ref}`

/**
 * Requested channels of the file.
 * @throws Refusal invalid_argument if one is not in it
 */
export function selectChannels(
  channels: readonly SlackChannel[],
  { channels: names }: ImportOptions,
): SlackChannel[] {
  if (names === undefined) return [...channels]
  return names.map((name) => {
    const normalized = name.trim().replace(/^#/, '').toLowerCase()
    const match = channels.find(
      (channel) =>
        channel.name.toLowerCase() === normalized || channel.ref.toLowerCase() === normalized,
    )
    if (match) return match
    throw new Refusal(
      'invalid_argument',
      `channels: the export has no channel ${JSON.stringify(name)}.`,
      {
        field: 'channels',
        hint: `It contains ${channels
          .slice(0, 40)
          .map((channel) => channel.name)
          .join(', ')}.`,
      },
    )
  })
}

/** Finds the workspace users for the people in the file: by the mapping, else by their address. */
export async function matchPeople(
  ctx: ReadContext,
  people: readonly SlackPerson[],
  options: ImportOptions,
): Promise<Map<string, Row<'users'>>> {
  const mapped = new Map(
    Object.entries(options.people).map(([name, to]) => [name.trim().toLowerCase(), to]),
  )
  const usersByKey = new Map<string, Row<'users'>>()
  for (const slackPerson of people) {
    const to = [slackPerson.email, slackPerson.name]
      .map((name) => name && mapped.get(name.toLowerCase()))
      .find((target) => target !== undefined)
    const row = await personFor(ctx, to, slackPerson.email)
    if (row && row.status !== 'deactivated' && row.role !== 'guest')
      usersByKey.set(personKey(slackPerson), row)
  }
  return usersByKey
}

async function personFor(
  ctx: ReadContext,
  to: string | null | undefined,
  email: string | undefined,
): Promise<Row<'users'> | undefined> {
  if (typeof to === 'string') return await person.demand(ctx, to, 'see', 'people')
  return to === null || email === undefined ? undefined : await person.find(ctx, email)
}

export function personKey({ name, email }: SlackPerson): string {
  return email ?? name
}

/** An unused name for a channel; its own if possible. */
export async function freeNameFor(
  ctx: ReadContext,
  { name }: Pick<SlackChannel, 'name'>,
  reserved: ReadonlySet<string> = new Set(),
): Promise<string> {
  const base = validNameFor(name)
  const candidates = [
    base,
    `${base}-slack`,
    ...Array.from({ length: 50 }, (_, i) => `${base}-slack-${i + 2}`),
  ]
  for (const candidate of candidates)
    if (!reserved.has(candidate) && !(await isNameTaken(ctx, candidate))) return candidate
  throw new Refusal(
    'conflict',
    `No name is available for the channel ${name.slice(0, 80)}.`,
    'Rename existing channels with this name.',
  )
}

function validNameFor(name: string): string {
  try {
    return channelName(name.slice(0, 65))
  } catch {
    return (
      name
        .normalize('NFC')
        .toLowerCase()
        .replaceAll(/[^\p{L}\p{N}\p{M}._-]+/gu, '-')
        .replaceAll(/^[^\p{L}\p{N}]+|-+$/gu, '')
        .slice(0, 65) || 'imported'
    )
  }
}

/** Creates the channel with only the importer in it until its messages are written. */
export async function createChannel(
  ctx: WriteContext,
  from: SlackChannel,
): Promise<Row<'channels'>> {
  const row = await ctx.add('channels', {
    kind: from.isPrivate ? 'private' : 'public',
    name: await freeNameFor(ctx, from),
    topic: from.topic || null,
    purpose: from.purpose || null,
    project_id: null,
    last_seq: 0,
    imported_ref: refOf(from),
  })
  await addChannelMembers(ctx, row, [ctx.actor.id])
  return row
}

/** Adds people to a channel without notifying them: they were already members. Everything counts as read. */
export async function addChannelMembers(
  ctx: WriteContext,
  row: Row<'channels'>,
  people: readonly Id<'users'>[],
): Promise<void> {
  const existingIds = new Set(
    (await channelMember.of(ctx, [row.id]).select('channel_members.person_id').execute()).map(
      (member) => member.person_id as string,
    ),
  )
  for (const person_id of people.filter((id) => !existingIds.has(id))) {
    await ctx.add('channel_members', { channel_id: row.id, person_id })
    ctx.access('access_gained', 'channels', row, person_id)
  }
  await setReadToEnd(ctx, row, people)
}

/** Writes messages in order, without mentions and notifications; `roots` has the thread starters by time. */
export async function writeMessages(
  ctx: WriteContext,
  channel: Id<'channels'>,
  messages: readonly SlackMessage[],
  roots: Map<number, Id<'messages'>>,
): Promise<void> {
  const last = messages.at(-1)
  if (!last) return
  let seq = await reserveSeqs(ctx, channel, messages.length, last.at)
  for (const message of messages) {
    const root =
      message.root === undefined
        ? undefined
        : (roots.get(message.root) ?? (await threadRootAt(ctx, channel, message.root)))
    const row = await ctx.add('messages', {
      channel_id: channel,
      seq: seq++,
      body_markdown: message.text,
      thread_root_id: root ?? null,
      in_channel: root === undefined || message.alsoToChannel ? 1 : 0,
      mentions_channel: 0,
      via_assistant: 0,
      sent_at: message.at,
      imported_from: 'slack',
      imported_author: message.author,
    })
    if (root === undefined && !roots.has(message.at)) roots.set(message.at, row.id)
  }
}

import { z } from 'zod'
import type { Actor } from '../../../kernel/actor.ts'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { secret } from '../../../kernel/fields.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { requireMayShare } from '../../drive/access.ts'
import { takeSeq } from '../access.ts'
import { requireMembership, requireOpenChannel } from '../channels/membership-checks.ts'
import { activeMembers } from '../channels/memberships.ts'
import { mentionsIn, setMentions } from './mentions.ts'
import { notifyMentionedMembers, notifyOthers } from './notifications.ts'

const maxFiles = 20

/** Input field for the text of a message. */
export const body = () =>
  secret(
    z
      .string()
      .min(1)
      .max(40_000)
      .regex(/\S/, 'must not be blank')
      .describe(
        'markdown; @name, @email or @<person id> mentions someone in the channel, @channel everyone',
      ),
  )

export interface MessageDraft {
  text: string
  files?: readonly Row<'files'>[] | undefined
  /** The message's thread. */
  root?: Row<'messages'> | undefined
  /** True to show a reply in the channel, too. */
  alsoToChannel?: boolean | undefined
}

/**
 * Posts a message to a visible channel. @throws Refusal if the caller is not a member, it is archived, or it has no
 * reader
 */
export async function post(
  ctx: WriteContext,
  channel: Row<'channels'>,
  { text, files = [], root, alsoToChannel = false }: MessageDraft,
): Promise<Row<'messages'>> {
  await requireMembership(ctx, channel)
  requireOpenChannel(channel)
  await requireReader(ctx, channel)
  if (files.length > maxFiles)
    throw invalid('file_ids', `a message can have at most ${maxFiles} files.`)
  await requireMayShare(ctx, files, 'file_ids')
  const mentions = await mentionsIn(ctx, channel, text)
  const row = await ctx.add('messages', {
    channel_id: channel.id,
    seq: await takeSeq(ctx, channel.id),
    body_markdown: text,
    thread_root_id: root?.id ?? null,
    in_channel: root === undefined || alsoToChannel ? 1 : 0,
    mentions_channel: mentions.everybody ? 1 : 0,
    sent_at: ctx.now,
    via_assistant: isAssistant(ctx.actor) ? 1 : 0,
  })
  for (const [position, file] of files.entries())
    await ctx.add('message_files', { message_id: row.id, file_id: file.id, position })
  await setMentions(ctx, row, mentions.people)
  ctx.event('message.posted', 'messages', row)
  await notifyMentionedMembers(ctx, channel, row, mentions)
  await notifyOthers(ctx, channel, row, root)
  return row
}

/** True if the message was not typed by the person in the web app but sent by a program on their behalf. */
function isAssistant({ via, key }: Actor): boolean {
  return key !== undefined || via === 'mcp' || via === 'api' || via === 'automation'
}

/** A conversation of two requires that both are active. */
async function requireReader(
  ctx: ReadContext,
  { id, kind, people_key }: Row<'channels'>,
): Promise<void> {
  if (kind !== 'direct' || people_key === ctx.actor.id) return
  if ((await activeMembers(ctx, id)).some((activeMember) => activeMember.id !== ctx.actor.id))
    return
  throw new Refusal(
    'conflict',
    'The other person in this conversation is deactivated and cannot read messages.',
  )
}

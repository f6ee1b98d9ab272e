import { call } from '../../../api/client.ts'
import { randomId, write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { addToDraft, draftKeyOf, type MessageDraft } from './drafts.ts'
import { channelTitle, nextPendingSeq, type Channel, type Message } from './rows.ts'

interface Sender {
  id: string
  title: string
}

/** Destination of a message: a channel, or the thread of one of its messages. */
export interface MessageTarget {
  channel: Pick<Channel, 'id' | 'name' | 'key'>
  threadId?: string | undefined
  /** Shows a reply in the channel, too. */
  alsoToChannel?: boolean | undefined
}

/**
 * Sends a message. It is shown immediately, and sent when possible, after earlier ones. A refused message goes back
 * to the draft.
 */
export async function sendMessage(
  me: Sender,
  target: MessageTarget,
  { text, files }: MessageDraft,
): Promise<void> {
  const { channel, threadId } = target
  const rows = [
    {
      type: 'message' as const,
      id: `new ${randomId()}`,
      add: optimisticMessage(me, target, { text, files }),
    },
  ]
  const body = { body_markdown: text, file_ids: files.map((file) => file.id) }
  const options = {
    rows,
    text: t.chat.sent(channelTitle(channel)),
    lane: `chat ${channel.id}`,
    noticeSeconds: 0,
  }
  const result =
    threadId === undefined
      ? await write('send_message', { channel_id: channel.id, ...body }, options)
      : await write(
          'reply_to_message',
          { message_id: threadId, also_to_channel: target.alsoToChannel ?? false, ...body },
          options,
        )
  if (result.state === 'refused') addToDraft(me.id, draftKeyOf(channel.id, threadId), text)
}

function optimisticMessage(
  me: Sender,
  { channel, threadId, alsoToChannel }: MessageTarget,
  draft: MessageDraft,
): Record<string, unknown> {
  const now = new Date().toISOString()
  return {
    channel: { id: channel.id, title: channel.name },
    seq: nextPendingSeq(),
    author: me,
    created_by: me,
    content: { text: draft.text, trust: 'internal' },
    sent_at: now,
    created_at: now,
    updated_at: now,
    ...(threadId === undefined
      ? {}
      : { thread_root_id: threadId, also_to_channel: alsoToChannel ?? false }),
    reply_count: 0,
    reactions: [],
    files: draft.files,
    pinned: false,
    mentions: [],
    via_assistant: false,
    linked_items: [],
  } satisfies Partial<Record<keyof Message, unknown>>
}

/** Starts a conversation, or continues the existing one with these people. Returns its channel. @throws ApiError */
export async function sendDirectly(
  personIds: readonly string[],
  { text, files }: MessageDraft,
): Promise<string> {
  const message = await call('send_direct_message', {
    person_ids: [...personIds],
    body_markdown: text,
    file_ids: files.map((file) => file.id),
  })
  return message.channel.id
}

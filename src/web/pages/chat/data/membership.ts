import { call, readingNow } from '../../../api/client.ts'
import { table, write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { writtenText } from '../../../ui/conflicts/text-merge.ts'
import { channelTitle, type Channel } from './rows.ts'

/** Joins a public channel. Answers whether it worked. */
export async function joinChannel(channel: Channel): Promise<boolean> {
  const result = await write(
    'join_channel',
    { channel_id: channel.id },
    {
      rows: [{ type: 'channel', id: channel.id, set: { joined: true } }],
      text: t.chat.browse.joined(channelTitle(channel)),
      noticeSeconds: 4,
    },
  )
  return result.state === 'done'
}

/** Asks, and leaves a channel. Answers whether one has left. */
export async function leaveChannel(channel: Channel): Promise<boolean> {
  const { privateText, ...ask } = t.chat.details.leaveAsk(channelTitle(channel))
  if (!(await confirm({ ...ask, text: channel.kind === 'private' ? privateText : ask.text })))
    return false
  const result = await write(
    'leave_channel',
    { channel_id: channel.id },
    { text: ask.title, undo: false, noticeSeconds: 0 },
  )
  if (result.state !== 'done') return false
  table('channel').remove([channel.id], { at: readingNow() })
  return true
}

/** Asks, and closes a channel to new messages; or opens it again. */
export async function archiveChannel(channel: Channel): Promise<void> {
  const archived = !channel.archived
  if (archived && !(await confirm(t.chat.details.archiveAsk(channelTitle(channel))))) return
  await write(
    'archive_channel',
    { channel_id: channel.id, archived },
    {
      rows: [{ type: 'channel', id: channel.id, set: { archived } }],
      text: archived ? t.chat.details.archived : t.chat.details.reopened,
    },
  )
}

/** The topic or the purpose of a channel, which others may change meanwhile. */
export const channelText = ({ id }: Channel, field: 'topic' | 'purpose') =>
  writtenText({
    read: async () => {
      const channel = await call('get_channel', { channel_id: id })
      return { text: channel[field] ?? '', revision: channel.revision }
    },
    operation: 'update_channel',
    input: (text, expected_revision) => ({ channel_id: id, [field]: text, expected_revision }),
    row: (text) => ({ type: 'channel', id, set: { [field]: text ?? undefined } }),
    said: t.chat.details.saved,
  })

import { call, currentReadStamp } from '../../../api/client.ts'
import { table, write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { operationTextSource } from '../../../ui/conflicts/text-merge.ts'
import { channelTitle, type Channel } from './rows.ts'

/** Joins a public channel. Returns whether it worked. */
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

/** Leaves a channel after a confirmation. Returns whether it was left. */
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
  table('channel').remove([channel.id], { stamp: currentReadStamp() })
  return true
}

/** Closes a channel to new messages after a confirmation, or reopens it. */
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

/** The topic or purpose of a channel, which others may change meanwhile. */
export const channelText = ({ id }: Channel, field: 'topic' | 'purpose') =>
  operationTextSource({
    read: async () => {
      const channel = await call('get_channel', { channel_id: id })
      return { text: channel[field] ?? '', revision: channel.revision }
    },
    operation: 'update_channel',
    input: (text, expected_revision) => ({ channel_id: id, [field]: text, expected_revision }),
    row: (text) => ({ type: 'channel', id, set: { [field]: text ?? undefined } }),
    description: t.chat.details.saved,
  })

import { table, write } from '../../../store/index.ts'
import { t } from '../../../texts/index.ts'
import { confirm } from '../../../ui/confirm.tsx'
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
  table('channel').remove([channel.id])
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

/** Changes the name, topic or purpose of a channel. */
export function changeChannel(
  channel: Channel,
  set: { name?: string; topic?: string | null; purpose?: string | null },
): void {
  const shown = Object.fromEntries(
    Object.entries(set).map(([name, value]) => [name, value ?? undefined]),
  )
  void write(
    'update_channel',
    { channel_id: channel.id, ...set },
    {
      rows: [{ type: 'channel', id: channel.id, set: shown }],
      text: t.chat.details.saved,
    },
  )
}

import { scheduleReload, table, type RowOf } from '../../../store/index.ts'

export type Message = RowOf<'message'>
export type Channel = RowOf<'channel'>

/** The reader's unconfirmed messages come after all others, in the order in which they were written. */
const firstPendingSeq = 1e15
let lastPendingSeq = 0

export function nextPendingSeq(): number {
  lastPendingSeq = Math.max(lastPendingSeq + 1, firstPendingSeq + Date.now())
  return lastPendingSeq
}

/** True if the server has not confirmed a message. */
export const isUnsent = (message: Pick<Message, 'seq'>) => message.seq >= firstPendingSeq

export const compareSeq = (a: Message, b: Message) => a.seq - b.seq

/** True if a message is in the channel itself, and not only in a thread. A deleted one stays if it has replies. */
export const isInChannel = (message: Message) =>
  (message.thread_root_id === undefined || message.also_to_channel === true) && isVisible(message)

const isVisible = (message: Message) => message.deleted_at === undefined || message.reply_count > 0

export const findChatMessage = (id: string): Message | undefined => table('message').get(id)
export const channelOf = (id: string): Channel | undefined => table('channel').get(id)

/** Direct conversations are named after their people and cannot be left or renamed. */
export const isConversation = ({ kind }: Pick<Channel, 'kind'>) =>
  kind === 'direct' || kind === 'group'

/** Title of a channel: `#general`, or the people of a conversation. */
export const channelTitle = ({ key, name }: Pick<Channel, 'key' | 'name'>) => key ?? name

/** Reloads a channel: its unread counts, its latest message. */
export const refetchChannel = (id: string) => scheduleReload('channel', [id])

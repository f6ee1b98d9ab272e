import { createContext, useContext } from 'react'
import { t } from '../../../texts/index.ts'
import { copyText } from '../../../ui/actions/copy.ts'
import { confirm } from '../../../ui/confirm.tsx'
import { chatPath } from '../data/address.ts'
import { deleteMessage } from '../data/changes.ts'
import { isUnsent, type Message } from '../data/rows.ts'

/** Actions that depend on the screen in which a message is shown. */
export interface ListActions {
  openThread: (message: Message) => void
  quote: (message: Message) => void
}

export const ListContext = createContext<ListActions>({ openThread: () => {}, quote: () => {} })

export const useListActions = () => useContext(ListContext)

/** True if a message has any actions. */
export const isUsable = (message: Message) => !isUnsent(message) && message.deleted_at === undefined

/** Permanently deletes the reader's own message after a confirmation. */
export async function askAndDelete(message: Message): Promise<void> {
  if (await confirm(t.chat.removeAsk)) deleteMessage(message)
}

/** The address of a message for sharing. */
function messageUrlOf({ channel, id }: Message): string {
  return new URL(`/channels/${channel.id}/${id}`, window.location.origin).href
}

export function copyAddress(message: Message): Promise<void> {
  return copyText(messageUrlOf(message), t.chat.copiedLink)
}

export const threadPath = (message: Message) =>
  chatPath({ channelId: message.channel.id, threadId: message.thread_root_id ?? message.id })

/** A text as a Markdown quote. */
export function quoteOf({ author, content }: Message): string {
  const lines = content.text.trim().split('\n')
  return `${[`**${author.title}:**`, ...lines].map((line) => `> ${line}`).join('\n')}\n\n`
}

import { useMemo } from 'react'
import { useMe } from '../../../session/session.ts'
import { useChatAddress } from '../data/address.ts'
import { addToDraft, draftKeyOf } from '../data/drafts.ts'
import type { Channel, Message } from '../data/rows.ts'
import { quoteOf, type ListActions } from './actions.ts'
import { focusComposer } from './focus.ts'

export function useListActionsOf(channel: Channel): ListActions {
  const { address, go } = useChatAddress()
  const { id: personId } = useMe()
  return useMemo(
    () => ({
      openThread: (message: Message) => {
        go({ ...address, panel: undefined, threadId: message.thread_root_id ?? message.id })
      },
      quote: (message: Message) => {
        const isInThread = document.activeElement?.closest('[data-list=thread]') !== null
        const thread = isInThread ? address.threadId : undefined
        addToDraft(personId, draftKeyOf(channel.id, thread), quoteOf(message))
        focusComposer(isInThread ? 'thread' : 'channel')
      },
    }),
    [address, go, channel.id, personId],
  )
}

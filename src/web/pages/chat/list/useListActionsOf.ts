import { useMemo } from 'react'
import { useMe } from '../../../session/session.ts'
import { useChatAddress } from '../data/address.ts'
import { addToDraft, draftPlace } from '../data/drafts.ts'
import type { Channel, Message } from '../data/rows.ts'
import { quoteOf, type ListActions } from './actions.ts'
import { focusComposer } from './focus.ts'

export function useListActionsOf(channel: Channel): ListActions {
  const { at, go } = useChatAddress()
  const { id: personId } = useMe()
  return useMemo(
    () => ({
      openThread: (message: Message) => {
        go({ ...at, panel: undefined, threadId: message.thread_root_id ?? message.id })
      },
      quote: (message: Message) => {
        const isInThread = document.activeElement?.closest('[data-list=thread]') !== null
        const thread = isInThread ? at.threadId : undefined
        addToDraft(personId, draftPlace(channel.id, thread), quoteOf(message))
        focusComposer(isInThread ? 'thread' : 'channel')
      },
    }),
    [at, go, channel.id, personId],
  )
}

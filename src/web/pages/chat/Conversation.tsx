import { useMediaQuery } from '@mantine/hooks'
import { useMemo, useState } from 'react'
import { useMe } from '../../session/session.ts'
import { t } from '../../texts/index.ts'
import { useCommands } from '../../keys/commands.ts'
import { JoinBar } from './channels/JoinBar.tsx'
import { ChannelHead } from './channels/ChannelHead.tsx'
import styles from './chat.module.css'
import { Composer } from './compose/Composer.tsx'
import { useChatAddress } from './data/address.ts'
import { addToDraft, draftPlace } from './data/drafts.ts'
import { channelTitle, type Channel, type Message } from './data/rows.ts'
import { sendMessage } from './data/send.ts'
import { ListContext, quoteOf, type ListActions } from './list/actions.ts'
import { editLast, focusComposer, focusLast } from './list/focus.ts'
import { MessageList } from './list/MessageList.tsx'
import { MessagePopups } from './message/MessagePopups.tsx'
import { useMessageCommands } from './list/useMessageCommands.ts'
import { SidePanel } from './side/SidePanel.tsx'

/** A conversation: its messages, where one writes, and what stands beside. */
export function Conversation({ channel }: { channel: Channel }) {
  const { at, go } = useChatAddress()
  const me = useMe()
  const hasRoom = useMediaQuery('(min-width: 1100px)', true, { getInitialValueInEffect: false })
  const [sentCount, setSentCount] = useState(0)
  const isBeside = at.threadId !== undefined || at.panel !== undefined
  const actions = useListActionsOf(channel, me.id)
  useMessageCommands(actions)
  useConversationCommands(channel)
  return (
    <ListContext value={actions}>
      {(hasRoom || !isBeside) && (
        <section className={styles.conversation} aria-label={channelTitle(channel)}>
          <ChannelHead channel={channel} />
          {channel.joined ? (
            <MessageList channel={channel} messageId={at.messageId} sentCount={sentCount} />
          ) : (
            <div className={styles.fill} />
          )}
          {!channel.joined && <JoinBar channel={channel} />}
          {channel.joined && channel.archived && (
            <p className={styles.closed}>{t.chat.compose.archived}</p>
          )}
          {channel.joined && !channel.archived && (
            <Composer
              key={channel.id}
              place={draftPlace(channel.id)}
              label={t.chat.compose.to(channelTitle(channel))}
              channelId={channel.id}
              send={(draft) => {
                if (at.messageId !== undefined) go({ ...at, messageId: undefined })
                setSentCount((count) => count + 1)
                void sendMessage(me, { channel }, draft)
              }}
              leave={() => focusLast('channel')}
              up={() => editLast('channel', me.id)}
            />
          )}
        </section>
      )}
      {isBeside && <SidePanel channel={channel} isAlone={!hasRoom} />}
      <MessagePopups />
    </ListContext>
  )
}

function useListActionsOf(channel: Channel, personId: string): ListActions {
  const { at, go } = useChatAddress()
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

/** What can be done by keys with the conversation that is open. */
function useConversationCommands(channel: Channel): void {
  const { at, go } = useChatAddress()
  const beside = at.threadId !== undefined || at.panel !== undefined
  useCommands({
    'chat.write': () => focusComposer(at.threadId === undefined ? 'channel' : 'thread'),
    'chat.search': () => go({ channelId: channel.id, panel: 'search' }),
    'chat.details': () =>
      go({ channelId: channel.id, panel: at.panel === 'details' ? undefined : 'details' }),
    'chat.back': () => {
      if (beside) go({ channelId: channel.id })
      focusComposer('channel')
    },
  })
}

import { useDocumentTitle, useMediaQuery } from '@mantine/hooks'
import { IconMessages } from '@tabler/icons-react'
import { useSearch } from '@tanstack/react-router'
import { useEffect } from 'react'
import { NotFound } from '../../ui/NotFound.tsx'
import { t } from '../../texts/index.ts'
import { EmptyState, Loading, Problem } from '../../ui/states.tsx'
import { ChannelDialogs, useChannelDialogs } from './channels/ChannelDialogs.tsx'
import { ChannelList } from './channels/ChannelList.tsx'
import { MessageToPerson } from './channels/MessageTo.tsx'
import { NewMessage } from './channels/NewMessage.tsx'
import { useChannelCommands } from './channels/useChannelCommands.ts'
import styles from './chat.module.css'
import { Conversation } from './Conversation.tsx'
import { useChatAddress } from './data/address.ts'
import { useChannels } from './data/channels.ts'
import { useFrozenOrder } from './data/frozen-order.ts'
import { channelTitle } from './data/rows.ts'
import { useOpenedChannel } from './data/opened.ts'

const lastKey = 'workspace.chat-last'

/** The reader's conversations, and the open one. */
export function Chat() {
  return <ChatScreen isNew={false} />
}

/** The chat page with a new message instead of a conversation. */
export function NewConversation() {
  return <ChatScreen isNew />
}

function ChatScreen({ isNew }: { isNew: boolean }) {
  const { address, go } = useChatAddress()
  const { to } = useSearch({ strict: false }) as { to?: string }
  const hasRoom = useMediaQuery('(min-width: 48.01em)', true, { getInitialValueInEffect: false })
  const { isFrozen, freeze } = useFrozenOrder()
  const channels = useChannels(isFrozen)
  const dialogs = useChannelDialogs()
  const open = (id: string) => go({ channelId: id })
  useChannelCommands({ ids: channels.ids, current: address.channelId, open, freeze, dialogs })
  useLastChannel({ isLoaded: channels.isLoaded, ids: channels.ids, isNew, hasRoom })
  const Title = address.channelId === undefined && !isNew ? 'h1' : 'h2'
  const isListShown = hasRoom || (address.channelId === undefined && !isNew)
  return (
    <div className={styles.screen}>
      {isListShown && (
        <div className={styles.side}>
          <Title className={styles.title}>{t.chat.title}</Title>
          {channels.error && <Problem error={channels.error} retry={channels.retry} />}
          {!channels.isLoaded && !channels.error && <Loading />}
          <ChannelList
            groups={channels.view.groups}
            current={address.channelId}
            create={() => dialogs.show('create')}
            browse={() => dialogs.show('browse')}
            writeTo={() => dialogs.writeTo()}
          />
        </div>
      )}
      {isNew && to === undefined && <NewMessage ids={channels.ids} open={open} />}
      {isNew && to !== undefined && channels.isLoaded && (
        <MessageToPerson personId={to} ids={channels.ids} open={open} />
      )}
      {!isNew && address.channelId !== undefined && (
        <OpenConversation
          key={address.channelId}
          id={address.channelId}
          isReady={channels.isLoaded}
        />
      )}
      {!isNew && address.channelId === undefined && hasRoom && channels.isLoaded && (
        <div className={styles.none}>
          <EmptyState
            icon={IconMessages}
            title={channels.ids.length > 0 ? t.chat.choose.title : t.chat.empty.title}
            text={channels.ids.length > 0 ? t.chat.choose.text : t.chat.empty.text}
          />
        </div>
      )}
      <ChannelDialogs dialog={dialogs} open={open} />
    </div>
  )
}

function OpenConversation({ id, isReady }: { id: string; isReady: boolean }) {
  const { channel, error, isMissing, isGone } = useOpenedChannel(id, isReady)
  const { go } = useChatAddress()
  useDocumentTitle(`${channel ? channelTitle(channel) : t.chat.title} – ${t.app.name}`)
  if (channel) return <Conversation channel={channel} />
  if (isMissing && !isGone) return <NotFound />
  return (
    <div className={styles.none}>
      {isGone ? (
        <EmptyState
          icon={IconMessages}
          title={t.chat.gone.title}
          text={t.chat.gone.text}
          action={
            <button
              type="button"
              className={styles.button}
              onClick={() => go({ channelId: undefined })}
            >
              {t.chat.gone.back}
            </button>
          }
        />
      ) : (
        <div className={styles.alone}>{error ? <Problem error={error} /> : <Loading />}</div>
      )}
    </div>
  )
}

interface LastOptions {
  isLoaded: boolean
  ids: readonly string[]
  isNew: boolean
  hasRoom: boolean
}

/** Without a conversation in the address, opens the last one if there is room beside the list. */
function useLastChannel({ isLoaded, ids, isNew, hasRoom }: LastOptions): void {
  const { address, go } = useChatAddress()
  const { channelId } = address
  useEffect(() => {
    if (channelId !== undefined) localStorage.setItem(lastKey, channelId)
    else if (!isNew && isLoaded && hasRoom) {
      const lastId = localStorage.getItem(lastKey)
      const targetId = ids.find((id) => id === lastId) ?? ids[0]
      if (targetId !== undefined) go({ channelId: targetId }, { replace: true })
    }
  }, [channelId, isNew, isLoaded, hasRoom, ids, go])
}

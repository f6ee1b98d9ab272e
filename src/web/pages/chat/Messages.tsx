import { useState } from 'react'
import { useMe } from '../../session/session.ts'
import { t } from '../../texts/index.ts'
import { TypingLine } from '../../ui/work/Lookers.tsx'
import { JoinBar } from './channels/JoinBar.tsx'
import styles from './chat.module.css'
import { Composer } from './compose/Composer.tsx'
import { useChatAddress } from './data/address.ts'
import { draftKeyOf } from './data/drafts.ts'
import { channelTitle, type Channel } from './data/rows.ts'
import { sendMessage } from './data/send.ts'
import { editLast } from './list/focus.ts'
import { MessageList } from './list/MessageList.tsx'

interface MessagesProps {
  channel: Channel
  /** Called on Escape in the text. */
  leave: () => void
}

/** The messages of a channel and the composer, or a button to join it. */
export function Messages({ channel, leave }: MessagesProps) {
  const { address, go } = useChatAddress()
  const me = useMe()
  const [sentCount, setSentCount] = useState(0)
  if (!channel.joined)
    return (
      <>
        <div className={styles.fill} />
        <JoinBar channel={channel} />
      </>
    )
  return (
    <>
      <MessageList channel={channel} messageId={address.messageId} sentCount={sentCount} />
      {channel.archived ? (
        <p className={styles.closed}>{t.chat.compose.archived}</p>
      ) : (
        <>
          <div className={styles.typing}>
            <TypingLine itemId={channel.id} />
          </div>
          <Composer
            key={channel.id}
            draftKey={draftKeyOf(channel.id)}
            label={t.chat.compose.to(channelTitle(channel))}
            channelId={channel.id}
            send={(draft) => {
              if (address.messageId !== undefined) go({ ...address, messageId: undefined })
              setSentCount((count) => count + 1)
              void sendMessage(me, { channel }, draft)
            }}
            leave={leave}
            onArrowUp={() => editLast('channel', me.id)}
          />
        </>
      )}
    </>
  )
}

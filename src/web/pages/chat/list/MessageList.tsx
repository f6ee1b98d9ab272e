import { IconArrowDown, IconArrowUp } from '@tabler/icons-react'
import { useRef } from 'react'
import { useCommands } from '../../../keys/commands.ts'
import { t } from '../../../texts/index.ts'
import { Loading, Problem } from '../../../ui/states.tsx'
import { markAllRead } from '../data/read-marks.ts'
import { channelTitle, type Channel } from '../data/rows.ts'
import { Lines } from './Lines.tsx'
import styles from './list.module.css'
import { useCurrentMessageId } from './useCurrent.ts'
import { useMessageList } from './useMessageList.ts'

interface MessageListProps {
  channel: Channel
  /** The message of the address. */
  messageId: string | undefined
  /** Increases with every message sent here. */
  sentCount: number
}

/** The messages of a channel, latest at the bottom. Long channels are loaded partially. */
export function MessageList({ channel, messageId, sentCount }: MessageListProps) {
  const scroller = useRef<HTMLDivElement>(null)
  const list = useMessageList({ channel, messageId, sentCount, scroller })
  const { state, lines, keeper, clearUnread } = list
  const currentId = useCurrentMessageId(scroller)
  useCommands({
    'chat.latest': () => void list.toLatest(),
    'chat.firstUnread': () => void list.toFirstUnread(),
    'chat.readAll': () => {
      clearUnread()
      void markAllRead(channel.id)
    },
  })
  const name = channelTitle(channel)
  const feed = {
    role: lines.length > 0 ? 'feed' : 'group', // a feed has to have articles
    'aria-label': t.chat.messages(name),
    'aria-busy': state.isReading,
  }
  return (
    <div className={styles.box}>
      {state.error && <Problem error={state.error} retry={list.retry} />}
      {!state.isLoaded && !state.error && (
        <div className={styles.loading}>
          <Loading />
        </div>
      )}
      <div
        ref={scroller}
        className={styles.scroller}
        onScroll={keeper.onScroll}
        data-list="channel"
      >
        <div className={styles.content} {...feed}>
          {state.isLoaded && (
            <p className={styles.start}>
              {state.hasOlder ? t.chat.loadingOlder : t.chat.start(name)}
            </p>
          )}
          <Lines lines={lines} currentId={currentId} markedId={messageId} />
        </div>
      </div>
      <Jumps list={list} unread={channel.unread.total} />
    </div>
  )
}

interface JumpsProps {
  list: ReturnType<typeof useMessageList>
  unread: number
}

/** Buttons to jump to new messages above, and to the end. */
function Jumps({ list, unread }: JumpsProps) {
  const { state, isLatest, isLineAbove, isFirstUnreadUnloaded, lines } = list
  const unreadIndex = lines.findIndex((item) => item.kind === 'unread')
  const count = lines.slice(unreadIndex).filter((item) => item.kind === 'message').length
  if (!state.isLoaded) return null
  return (
    <>
      {((isLineAbove && unreadIndex !== -1) || isFirstUnreadUnloaded) && (
        <button type="button" className={styles.jumpUp} onClick={() => void list.toFirstUnread()}>
          <IconArrowUp size={14} aria-hidden />{' '}
          {isFirstUnreadUnloaded ? t.keys.commands['chat.firstUnread'] : t.chat.firstUnread(count)}
        </button>
      )}
      {!isLatest && (
        <button type="button" className={styles.jumpDown} onClick={() => void list.toLatest()}>
          <IconArrowDown size={14} aria-hidden />{' '}
          {unread > 0 ? t.chat.latestNew(unread) : t.chat.latest}
        </button>
      )}
    </>
  )
}

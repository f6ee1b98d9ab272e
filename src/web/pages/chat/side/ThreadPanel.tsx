import { useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { Checkbox } from '@mantine/core'
import { useMe } from '../../../session/session.ts'
import { t } from '../../../texts/index.ts'
import { Loading, Problem } from '../../../ui/states.tsx'
import { Composer } from '../compose/Composer.tsx'
import { draftKeyOf } from '../data/drafts.ts'
import { findChatMessage, type Channel } from '../data/rows.ts'
import { sendMessage } from '../data/send.ts'
import { useThread } from '../data/thread.ts'
import { editLast, focusLast } from '../list/focus.ts'
import { messageLinesOf } from '../list/lines.ts'
import { Lines } from '../list/Lines.tsx'
import { useScrollKeeper, type ScrollKeeper } from '../list/scroll.ts'
import { useCurrentMessageId } from '../list/useCurrent.ts'
import { reportSeen, useReadReports } from '../list/useMessageList.ts'
import styles from './side.module.css'

interface ThreadPanelProps {
  channel: Channel
  rootId: string
  /** The reply of the address. */
  replyId: string | undefined
}

/** A message with its replies, and the composer. */
export function ThreadPanel({ channel, rootId, replyId }: ThreadPanelProps) {
  const me = useMe()
  const scroller = useRef<HTMLDivElement>(null)
  const thread = useThread(rootId)
  const { root, replies } = thread
  const lines = useMemo(() => {
    const messages = (root ? [root.id, ...replies] : []).flatMap((id) => findChatMessage(id) ?? [])
    return messageLinesOf(messages, { readSeq: undefined, personId: me.id, isInThread: true })
  }, [root, replies, me.id])
  const currentId = useCurrentMessageId(scroller)
  const hasStarted = useRef(replyId === undefined)
  const keeper = useScrollKeeper({
    scroller,
    hasEnd: true,
    onSettle: () => {
      if (scroller.current && hasStarted.current) reportSeen(scroller.current)
    },
  })
  useReadReports(scroller)
  useStart({ hasStarted, keeper, replyId, replies })
  return (
    <>
      {thread.error && !root && <Problem error={thread.error} retry={thread.retry} />}
      {!root && !thread.error && <Loading />}
      <div ref={scroller} className={styles.thread} onScroll={keeper.onScroll} data-list="thread">
        <div role="feed" aria-label={t.chat.thread.title} aria-busy={!thread.isLoaded}>
          <Lines lines={lines} currentId={currentId} markedId={replyId} isInThread />
        </div>
      </div>
      {!channel.archived && <Reply channel={channel} rootId={rootId} keeper={keeper} />}
    </>
  )
}

interface ReplyProps {
  channel: Channel
  rootId: string
  keeper: ScrollKeeper
}

function Reply({ channel, rootId, keeper }: ReplyProps) {
  const me = useMe()
  const [alsoToChannel, setAlsoToChannel] = useState(false)
  return (
    <Composer
      list="thread"
      draftKey={draftKeyOf(channel.id, rootId)}
      label={t.chat.compose.reply}
      channelId={channel.id}
      send={(draft) => {
        void sendMessage(me, { channel, threadId: rootId, alsoToChannel }, draft)
        setAlsoToChannel(false)
        keeper.toEnd()
      }}
      leave={() => focusLast('thread')}
      onArrowUp={() => editLast('thread', me.id)}
      autoFocus
    >
      <Checkbox
        size="xs"
        checked={alsoToChannel}
        onChange={(event) => setAlsoToChannel(event.currentTarget.checked)}
        label={t.chat.compose.alsoToChannel}
      />
    </Composer>
  )
}

interface StartOptions {
  /** True once it has scrolled to its start position. */
  hasStarted: RefObject<boolean>
  keeper: ScrollKeeper
  replyId: string | undefined
  replies: readonly string[]
}

/** Starts at the reply of the address. */
function useStart({ hasStarted, keeper, replyId, replies }: StartOptions): void {
  const isReplyLoaded = replyId !== undefined && replies.includes(replyId)
  useLayoutEffect(() => {
    if (hasStarted.current || !isReplyLoaded) return
    hasStarted.current = true
    keeper.toMessage(replyId, 0.35)
  })
}

import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { markSeen } from '../data/read-marks.ts'
import { isUnsent, findChatMessage, type Channel, type Message } from '../data/rows.ts'
import { messageLinesOf, type MessageLine } from './lines.ts'
import { lastVisibleId, useScrollKeeper, type ScrollKeeper } from './scroll.ts'
import { fetchFirstUnreadId, useMessageWindow } from './useWindow.ts'

/** Distance from an end of the loaded messages at which more are loaded, in pixels. */
const loadPx = 800

interface ListOptions {
  channel: Channel
  messageId: string | undefined
  /** Increases with every message sent here, which scrolls to the end. */
  sentCount: number
  scroller: RefObject<HTMLElement | null>
}

export function useMessageList({ channel, messageId, sentCount, scroller }: ListOptions) {
  const view = useMessageWindow(channel.id, messageId)
  const { messageWindow, state, messages, firstNewId, hasEnd } = view
  const [isAtEnd, setAtEnd] = useState(true)
  const [readSeq, setReadSeq] = useReadSeq(channel, messages, hasEnd && isAtEnd)
  const hasUnloadedUnread = readSeq !== undefined && state.from > readSeq + 1
  const unloadedId = hasUnloadedUnread ? firstNewId : undefined
  const lines = useLines(messages, hasUnloadedUnread ? undefined : readSeq) // no unread line until the messages above it are loaded
  const [isLineAbove, checkLine] = useLineAbove(readSeq)
  const lastGoal = useRef<string>(undefined)
  const keeper = useScrollKeeper({
    scroller,
    hasEnd,
    onSettle: (atEnd) => {
      setAtEnd(atEnd)
      const node = scroller.current
      if (!node || !state.isLoaded || lastGoal.current === undefined) return // until then, nothing counts as seen
      checkLine(node)
      reportSeen(node)
      if (state.error || state.isReading) return
      if (node.scrollTop < loadPx) void messageWindow.loadOlder()
      if (pxBelow(node) < loadPx) void messageWindow.loadNewer()
    },
  })
  useStart({ lastGoal, isLoaded: state.isLoaded, messageId, lines, keeper })
  useReadReports(scroller)
  const toLatest = async () => {
    if (!hasEnd) await messageWindow.openLatest()
    keeper.toEnd()
  }
  useOnSent(sentCount, () => {
    setReadSeq(undefined)
    void toLatest()
  })
  const toFirstUnread = async () => {
    const first = firstUnreadIdIn(lines) ?? unloadedId ?? (await fetchFirstUnreadId(channel.id))
    if (first === undefined) return
    if (!messages.some((message) => message.id === first)) await messageWindow.openAt(first)
    keeper.toMessage(first, 0.3)
  }
  const retry = () => {
    if (state.isLoaded) void messageWindow.loadOlder()
    else if (messageId === undefined) void messageWindow.openLatest()
    else void messageWindow.openAt(messageId)
  }
  return {
    state,
    lines,
    messages,
    keeper,
    retry,
    toLatest,
    toFirstUnread,
    isLatest: hasEnd && isAtEnd,
    isLineAbove,
    isFirstUnreadUnloaded: unloadedId !== undefined,
    clearUnread: () => setReadSeq(undefined),
  }
}

const pxBelow = (node: HTMLElement) => node.scrollHeight - node.scrollTop - node.clientHeight

function useLines(messages: readonly Message[], readSeq: number | undefined) {
  const { person } = useSignedIn()
  return useMemo(
    () => messageLinesOf(messages, { readSeq, personId: person.id }),
    [messages, readSeq, person.id],
  )
}

function useOnSent(count: number, onSent: () => void): void {
  const lastCount = useRef(count)
  useEffect(() => {
    if (count === lastCount.current) return
    lastCount.current = count
    onSent()
  })
}

/** The read position on arrival, and where new messages start while the reader is away. */
function useReadSeq(channel: Channel, messages: readonly Message[], isAtEnd: boolean) {
  const { person } = useSignedIn()
  const [readSeq, setReadSeq] = useState(() =>
    channel.unread.total > 0 ? channel.unread.read_seq : undefined,
  )
  const last = messages.findLast((message) => !isUnsent(message))
  const previousLast = useRef(last)
  useEffect(() => {
    const previous = previousLast.current
    previousLast.current = last
    if (!last || !previous || last.seq <= previous.seq || last.author.id === person.id) return
    if (!(isAtEnd && isPageActive())) setReadSeq((seq) => seq ?? previous.seq)
  }, [last, isAtEnd, person.id])
  return [readSeq, setReadSeq] as const
}

/** True if the line above new messages is above the visible part, and has not been visible yet. */
function useLineAbove(readSeq: number | undefined) {
  const [isAbove, setAbove] = useState(false)
  const seenReadSeq = useRef<number>(undefined)
  const check = (node: HTMLElement) => {
    const line = node.querySelector('[data-unread]')
    const distance = line && line.getBoundingClientRect().bottom - node.getBoundingClientRect().top
    if (distance !== null && distance >= 0 && distance < node.clientHeight)
      seenReadSeq.current = readSeq
    setAbove(distance !== null && distance < 0 && seenReadSeq.current !== readSeq)
  }
  return [isAbove, check] as const
}

interface StartOptions {
  /** Last starting point, once there was one. */
  lastGoal: RefObject<string | undefined>
  isLoaded: boolean
  messageId: string | undefined
  lines: readonly MessageLine[]
  keeper: ScrollKeeper
}

/** Scrolls to the starting point: the message in the address, the first unread one, or the end. */
function useStart({ lastGoal, isLoaded, messageId, lines, keeper }: StartOptions): void {
  const goal = messageId ?? ''
  const isGoalLoaded = messageId === undefined || lines.some((line) => line.key === messageId)
  useLayoutEffect(() => {
    if (!isLoaded || !isGoalLoaded || lastGoal.current === goal) return
    const isFirst = lastGoal.current === undefined
    lastGoal.current = goal
    const first = firstUnreadIdIn(lines)
    if (messageId !== undefined) keeper.toMessage(messageId, 0.35)
    else if (isFirst && first !== undefined) keeper.toMessage(first, 0.3)
    else if (isFirst) keeper.toEnd()
  })
}

function firstUnreadIdIn(lines: readonly MessageLine[]): string | undefined {
  const index = lines.findIndex((line) => line.kind === 'unread')
  return index === -1 ? undefined : lines.slice(index).find((line) => line.kind === 'message')?.key
}

const isPageActive = () => document.visibilityState === 'visible' && document.hasFocus()

/** Reports the read position while the reader is present. */
export function reportSeen(node: HTMLElement): void {
  if (!isPageActive()) return
  const id = lastVisibleId(node)
  const message = id === undefined ? undefined : findChatMessage(id)
  if (message) markSeen(message)
}

/** Marks visible messages as read also on return to the tab, and when the surrounding page is scrolled. */
export function useReadReports(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const report = () => {
      if (scroller.current) reportSeen(scroller.current)
    }
    report()
    const onDocumentScroll = ({ target }: Event) => {
      if (target === document) report()
    }
    window.addEventListener('focus', report)
    document.addEventListener('visibilitychange', report)
    document.addEventListener('scroll', onDocumentScroll)
    return () => {
      window.removeEventListener('focus', report)
      document.removeEventListener('visibilitychange', report)
      document.removeEventListener('scroll', onDocumentScroll)
    }
  }, [scroller])
}

import { useEffect, useLayoutEffect, useMemo, useRef, useState, type RefObject } from 'react'
import { useSignedIn } from '../../../session/session.ts'
import { markSeen } from '../data/read-marks.ts'
import { isUnsent, findChatMessage, type Channel, type Message } from '../data/rows.ts'
import { messageLinesOf, type MessageLine } from './lines.ts'
import { lastVisible, useScrollKeeper, type ScrollKeeper } from './scroll.ts'
import { firstUnread, useWindow } from './useWindow.ts'

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
  const { stretch, state, messages, firstNewId, hasEnd } = useWindow(channel.id, messageId)
  const [isAtEnd, setAtEnd] = useState(true)
  const [readSeq, setReadSeq] = useReadSeq(channel, messages, hasEnd && isAtEnd)
  const isFar = readSeq !== undefined && state.from > readSeq + 1
  const firstFar = isFar ? firstNewId : undefined
  const lines = useLines(messages, isFar ? undefined : readSeq) // the line has its place once what is above it is loaded
  const [isLineAbove, lookForLine] = useLineAbove(readSeq)
  const started = useRef<string>(undefined)
  const keeper = useScrollKeeper({
    scroller,
    hasEnd,
    settled: (atEnd) => {
      setAtEnd(atEnd)
      const node = scroller.current
      if (!node || !state.isLoaded || started.current === undefined) return // what is on the screen before was not seen
      lookForLine(node)
      reportSeen(node)
      if (state.error || state.isReading) return
      if (node.scrollTop < loadPx) void stretch.older()
      if (node.scrollHeight - node.scrollTop - node.clientHeight < loadPx) void stretch.newer()
    },
  })
  useStart({ started, isLoaded: state.isLoaded, messageId, lines, keeper })
  useReading(scroller)
  const toLatest = async () => {
    if (!hasEnd) await stretch.openLatest()
    keeper.toEnd()
  }
  useSent(sentCount, () => {
    setReadSeq(undefined)
    void toLatest()
  })
  const toFirstUnread = async () => {
    const first = firstNew(lines) ?? firstFar ?? (await firstUnread(channel.id))
    if (first === undefined) return
    if (!messages.some((message) => message.id === first)) await stretch.openAt(first)
    keeper.toMessage(first, 0.3)
  }
  const retry = () => {
    if (state.isLoaded) void stretch.older()
    else void (messageId === undefined ? stretch.openLatest() : stretch.openAt(messageId))
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
    isFirstFar: firstFar !== undefined,
    clearUnread: () => setReadSeq(undefined),
  }
}

function useLines(messages: readonly Message[], readSeq: number | undefined) {
  const { person } = useSignedIn()
  return useMemo(
    () => messageLinesOf(messages, { readSeq, personId: person.id }),
    [messages, readSeq, person.id],
  )
}

function useSent(count: number, sent: () => void): void {
  const lastCount = useRef(count)
  useEffect(() => {
    if (count === lastCount.current) return
    lastCount.current = count
    sent()
  })
}

/** The read position on arrival, and where new messages start while the reader is away. */
function useReadSeq(channel: Channel, messages: readonly Message[], isAtEnd: boolean) {
  const { person } = useSignedIn()
  const [readSeq, setReadSeq] = useState(() =>
    channel.unread.total > 0 ? channel.unread.read_seq : undefined,
  )
  const last = messages.findLast((message) => !isUnsent(message))
  const before = useRef(last)
  useEffect(() => {
    const previous = before.current
    before.current = last
    if (!last || !previous || last.seq <= previous.seq || last.author.id === person.id) return
    if (!(isAtEnd && isLooking())) setReadSeq((seq) => seq ?? previous.seq)
  }, [last, isAtEnd, person.id])
  return [readSeq, setReadSeq] as const
}

/** True if the line above new messages is above the visible part, and has not been visible yet. */
function useLineAbove(readSeq: number | undefined) {
  const [isAbove, setAbove] = useState(false)
  const seen = useRef<number>(undefined)
  const look = (node: HTMLElement) => {
    const line = node.querySelector('[data-unread]')
    const distance = line && line.getBoundingClientRect().bottom - node.getBoundingClientRect().top
    if (distance !== null && distance >= 0 && distance < node.clientHeight) seen.current = readSeq
    setAbove(distance !== null && distance < 0 && seen.current !== readSeq)
  }
  return [isAbove, look] as const
}

interface StartOptions {
  /** Last starting point, once there was one. */
  started: RefObject<string | undefined>
  isLoaded: boolean
  messageId: string | undefined
  lines: readonly MessageLine[]
  keeper: ScrollKeeper
}

/** Scrolls to the starting point: the message in the address, the first unread one, or the end. */
function useStart({ started, isLoaded, messageId, lines, keeper }: StartOptions): void {
  const goal = messageId ?? ''
  const isThere = messageId === undefined || lines.some((line) => line.key === messageId)
  useLayoutEffect(() => {
    if (!isLoaded || !isThere || started.current === goal) return
    const isFirst = started.current === undefined
    started.current = goal
    const first = firstNew(lines)
    if (messageId !== undefined) keeper.toMessage(messageId, 0.35)
    else if (isFirst && first !== undefined) keeper.toMessage(first, 0.3)
    else if (isFirst) keeper.toEnd()
  })
}

function firstNew(lines: readonly MessageLine[]): string | undefined {
  const at = lines.findIndex((line) => line.kind === 'unread')
  return at === -1 ? undefined : lines.slice(at).find((line) => line.kind === 'message')?.key
}

const isLooking = () => document.visibilityState === 'visible' && document.hasFocus()

/** Reports the read position while the reader is present. */
export function reportSeen(node: HTMLElement): void {
  if (!isLooking()) return
  const id = lastVisible(node)
  const message = id === undefined ? undefined : findChatMessage(id)
  if (message) markSeen(message)
}

/** Marks visible messages as read also on return to the tab, and when the surrounding page is scrolled. */
export function useReading(scroller: RefObject<HTMLElement | null>): void {
  useEffect(() => {
    const look = () => {
      if (scroller.current) reportSeen(scroller.current)
    }
    look()
    const scrolled = ({ target }: Event) => {
      if (target === document) look()
    }
    window.addEventListener('focus', look)
    document.addEventListener('visibilitychange', look)
    document.addEventListener('scroll', scrolled)
    return () => {
      window.removeEventListener('focus', look)
      document.removeEventListener('visibilitychange', look)
      document.removeEventListener('scroll', scrolled)
    }
  }, [scroller])
}

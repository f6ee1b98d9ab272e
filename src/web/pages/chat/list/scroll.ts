import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/** Scroll anchor kept in place while the list changes: its end, or a message at a distance from the upper edge. */
type ScrollAnchor = 'end' | { id: string; offset: number }

interface ScrollOptions {
  scroller: RefObject<HTMLElement | null>
  /** True if the list includes the last message of the channel. */
  hasEnd: boolean
  /** Called after a scroll or a change, once the layout is complete. */
  onSettle: (isAtEnd: boolean) => void
}

export interface ScrollKeeper {
  onScroll: () => void
  /** Scrolls to the end, and stays there as messages arrive. */
  toEnd: () => void
  /** Scrolls a message to a fraction of the height, or to the end of the list if that comes first. */
  toMessage: (id: string, fraction: number) => void
}

/** Distance from the end that still counts as being there, in pixels. */
const endPx = 32

/**
 * Keeps the reading position stable while messages are added before and after it, texts and pictures get their
 * height, and the window is resized; stays at the end if it was there.
 */
export function useScrollKeeper({ scroller, hasEnd, onSettle }: ScrollOptions): ScrollKeeper {
  const anchor = useRef<ScrollAnchor>('end')
  const latest = useRef({ hasEnd, settled: onSettle })
  const lastPosition = useRef<Position>({ top: 0, height: 0 })
  const updateAnchor = useCallback((node: HTMLElement) => {
    anchor.current =
      latest.current.hasEnd && isNearEnd(node) ? 'end' : (firstVisibleAnchor(node) ?? 'end')
  }, [])
  const restore = useCallback(() => {
    const node = scroller.current
    if (!node) return
    if (wasScrolled(node, lastPosition.current)) updateAnchor(node)
    if (anchor.current === 'end') node.scrollTop = node.scrollHeight
    else restoreOffset(node, anchor.current)
    lastPosition.current = positionOf(node)
    latest.current.settled(anchor.current === 'end')
  }, [scroller, updateAnchor])
  useLayoutEffect(() => {
    latest.current = { hasEnd, settled: onSettle }
    restore()
  })
  useEffect(() => {
    const node = scroller.current
    const content = node?.firstElementChild
    if (!node || !content) return
    const observer = new ResizeObserver(restore)
    observer.observe(node)
    observer.observe(content)
    return () => observer.disconnect()
  }, [scroller, restore])
  const onScroll = useCallback(() => {
    const node = scroller.current
    if (!node) return
    updateAnchor(node)
    lastPosition.current = positionOf(node)
    latest.current.settled(anchor.current === 'end')
  }, [scroller, updateAnchor])
  const scrollToAnchor = useCallback(
    (target: ScrollAnchor) => {
      if (scroller.current) lastPosition.current = positionOf(scroller.current)
      anchor.current = target
      restore()
    },
    [scroller, restore],
  )
  const toEnd = useCallback(() => scrollToAnchor('end'), [scrollToAnchor])
  const toMessage = useCallback(
    (id: string, fraction: number) => {
      scrollToAnchor({ id, offset: (scroller.current?.clientHeight ?? 0) * fraction })
      const node = scroller.current
      if (!node || !latest.current.hasEnd || !isNearEnd(node)) return
      anchor.current = 'end'
      latest.current.settled(true)
    },
    [scroller, scrollToAnchor],
  )
  return { onScroll, toEnd, toMessage }
}

interface Position {
  top: number
  height: number
}

const positionOf = (node: HTMLElement): Position => ({
  top: node.scrollTop,
  height: node.scrollHeight,
})

/** True if the list was scrolled, for example by the focus, before its scroll event. */
const wasScrolled = (node: HTMLElement, { top, height }: Position) =>
  node.scrollHeight === height && Math.abs(node.scrollTop - top) >= 1

export const messagesIn = (node: ParentNode): HTMLElement[] => [
  ...node.querySelectorAll<HTMLElement>('[data-message]'),
]

export function messageNode(node: ParentNode, id: string): HTMLElement | null {
  return node.querySelector<HTMLElement>(`[data-message="${CSS.escape(id)}"]`)
}

function isNearEnd(node: HTMLElement): boolean {
  return node.scrollHeight - node.scrollTop - node.clientHeight < endPx
}

function firstVisibleAnchor(node: HTMLElement): ScrollAnchor | undefined {
  const { top } = node.getBoundingClientRect()
  const first = messagesIn(node).find((item) => item.getBoundingClientRect().bottom > top)
  const id = first?.dataset.message
  return first && id ? { id, offset: first.getBoundingClientRect().top - top } : undefined
}

function restoreOffset(node: HTMLElement, { id, offset }: { id: string; offset: number }): void {
  const message = messageNode(node, id)
  if (!message) return
  const driftPx = message.getBoundingClientRect().top - node.getBoundingClientRect().top - offset
  if (Math.abs(driftPx) >= 1) node.scrollTop += driftPx
}

/** The last message whose end is visible, in the list and in the window. */
export function lastVisibleId(node: HTMLElement): string | undefined {
  const { top, bottom: listBottom } = node.getBoundingClientRect()
  const bottom = Math.min(listBottom, screenBottom())
  if (bottom <= Math.max(top, 0)) return undefined
  return messagesIn(node).findLast((item) => item.getBoundingClientRect().bottom <= bottom + 2)
    ?.dataset.message
}

/** Lower edge of the usable screen: above the bottom bar on phones. */
function screenBottom(): number {
  const bar = getComputedStyle(document.documentElement).getPropertyValue('--bottom-bar')
  return window.innerHeight - (Number.parseFloat(bar) || 0)
}

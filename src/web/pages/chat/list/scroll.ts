import { useCallback, useEffect, useLayoutEffect, useRef, type RefObject } from 'react'

/** Scroll anchor kept in place while the list changes: its end, or a message at a distance from the upper edge. */
type Hold = 'end' | { id: string; offset: number }

interface ScrollOptions {
  scroller: RefObject<HTMLElement | null>
  /** True if the list includes the last message of the channel. */
  hasEnd: boolean
  /** Called after a scroll or a change, once the layout is complete. */
  settled: (isAtEnd: boolean) => void
}

export interface ScrollKeeper {
  scrolled: () => void
  /** Scrolls to the end, and stays there as messages arrive. */
  toEnd: () => void
  /** Scrolls a message to a fraction of the height, or to the end of the list if that comes first. */
  toMessage: (id: string, part: number) => void
}

/** Distance from the end that still counts as being there, in pixels. */
const endPx = 32

/**
 * Keeps the reading position stable while messages are added before and after it, texts and pictures get their
 * height, and the window is resized; stays at the end if it was there.
 */
export function useScrollKeeper({ scroller, hasEnd, settled }: ScrollOptions): ScrollKeeper {
  const hold = useRef<Hold>('end')
  const latest = useRef({ hasEnd, settled })
  const lastPosition = useRef<Position>({ top: 0, height: 0 })
  const adopt = useCallback((node: HTMLElement) => {
    hold.current = latest.current.hasEnd && isNearEnd(node) ? 'end' : (firstVisible(node) ?? 'end')
  }, [])
  const restore = useCallback(() => {
    const node = scroller.current
    if (!node) return
    if (wasScrolled(node, lastPosition.current)) adopt(node)
    if (hold.current === 'end') node.scrollTop = node.scrollHeight
    else keepMessage(node, hold.current)
    lastPosition.current = positionOf(node)
    latest.current.settled(hold.current === 'end')
  }, [scroller, adopt])
  useLayoutEffect(() => {
    latest.current = { hasEnd, settled }
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
  const scrolled = useCallback(() => {
    const node = scroller.current
    if (!node) return
    adopt(node)
    lastPosition.current = positionOf(node)
    latest.current.settled(hold.current === 'end')
  }, [scroller, adopt])
  const show = useCallback(
    (goal: Hold) => {
      if (scroller.current) lastPosition.current = positionOf(scroller.current)
      hold.current = goal
      restore()
    },
    [scroller, restore],
  )
  const toEnd = useCallback(() => show('end'), [show])
  const toMessage = useCallback(
    (id: string, part: number) => {
      show({ id, offset: (scroller.current?.clientHeight ?? 0) * part })
      const node = scroller.current
      if (!node || !latest.current.hasEnd || !isNearEnd(node)) return
      hold.current = 'end'
      latest.current.settled(true)
    },
    [scroller, show],
  )
  return { scrolled, toEnd, toMessage }
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

function firstVisible(node: HTMLElement): Hold | undefined {
  const { top } = node.getBoundingClientRect()
  const first = messagesIn(node).find((item) => item.getBoundingClientRect().bottom > top)
  const id = first?.dataset.message
  return first && id ? { id, offset: first.getBoundingClientRect().top - top } : undefined
}

function keepMessage(node: HTMLElement, { id, offset }: { id: string; offset: number }): void {
  const message = messageNode(node, id)
  if (!message) return
  const moved = message.getBoundingClientRect().top - node.getBoundingClientRect().top - offset
  if (Math.abs(moved) >= 1) node.scrollTop += moved
}

/** The last message whose end is visible, in the list and in the window. */
export function lastVisible(node: HTMLElement): string | undefined {
  const { top, bottom: end } = node.getBoundingClientRect()
  const bottom = Math.min(end, screenEnd())
  if (bottom <= Math.max(top, 0)) return undefined
  return messagesIn(node).findLast((item) => item.getBoundingClientRect().bottom <= bottom + 2)
    ?.dataset.message
}

/** Lower edge of the usable screen: above the bottom bar on phones. */
function screenEnd(): number {
  const bar = getComputedStyle(document.documentElement).getPropertyValue('--bottom-bar')
  return window.innerHeight - (Number.parseFloat(bar) || 0)
}

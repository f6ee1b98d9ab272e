import { useEffect, useState, type RefObject } from 'react'

/** The hovered or focused message of a list, whose tools are shown. */
export function useCurrentMessageId(list: RefObject<HTMLElement | null>): string | undefined {
  const [current, setCurrent] = useState<string>()
  useEffect(() => {
    const node = list.current
    if (!node) return
    const controller = new AbortController()
    const { signal } = controller
    const updateCurrent = ({ target }: Event) => {
      const id = messageAt(target)
      if (id !== undefined) setCurrent(id)
    }
    node.addEventListener('pointerover', updateCurrent, { signal })
    node.addEventListener('focusin', updateCurrent, { signal })
    node.addEventListener('pointerleave', () => setCurrent(messageAt(document.activeElement)), {
      signal,
    })
    return () => controller.abort()
  }, [list])
  return current
}

function messageAt(target: EventTarget | null): string | undefined {
  const node = target instanceof Element ? target.closest('[data-message]') : null
  return node?.getAttribute('data-message') ?? undefined
}

import { useEffect, useRef } from 'react'

interface EventCursor {
  entry: { id: string } | undefined
  move: (step: number) => void
}

/** Moves by keyboard and sets the focus. Merely displaying an entry does not take the focus. */
export function useFocusOnMove({ entry, move }: EventCursor): (step: number) => void {
  const isMoving = useRef(false)
  const id = entry?.id
  useEffect(() => {
    if (isMoving.current) focusEvent(id)
    isMoving.current = false
  }, [id])
  return (step) => {
    const isFocused = document.activeElement?.matches(`[data-event="${CSS.escape(id ?? '')}"]`)
    if (!isFocused && id !== undefined) return focusEvent(id)
    isMoving.current = true
    move(step)
  }
}

function focusEvent(id: string | undefined): void {
  if (id === undefined) return
  const node = document.querySelector<HTMLElement>(`[data-event="${CSS.escape(id)}"]`)
  node?.focus({ preventScroll: true })
  node?.scrollIntoView({ block: 'nearest' })
}

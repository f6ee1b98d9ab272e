import { useEffect, useRef } from 'react'

interface VirtualRows {
  /** All rows of the list, rendered or not. */
  ids: readonly string[]
  /** Finds the element of a row that takes the focus, if it is drawn. */
  elementOf: (id: string) => HTMLElement | null | undefined
  /** Called with the current row, which must be rendered from then on. */
  setTabStop: (id: string) => void
  /** Scrolls a row into view. */
  scrollTo: (index: number) => void
}

/** Moves the focus in a list that renders only visible rows, including to rows that are not rendered yet. */
export function useVirtualKeys({ ids, elementOf, setTabStop, scrollTo }: VirtualRows) {
  const current = useRef<{ id: string; index: number }>(undefined)
  const pendingId = useRef<string>(undefined)
  const focusPending = () => {
    const element = pendingId.current === undefined ? undefined : elementOf(pendingId.current)
    if (!element) return
    pendingId.current = undefined
    element.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (pendingId.current !== undefined) focusPending()
  })
  const setCurrent = (id: string) => {
    current.current = { id, index: ids.indexOf(id) }
    setTabStop(id)
  }
  const goTo = (index: number): boolean => {
    const id = ids[index]
    if (id === undefined) return false
    scrollTo(index)
    pendingId.current = id
    setCurrent(id)
    focusPending()
    return true
  }
  /** Moves by a number of rows; the first time to the first one. */
  const move = (step: number): boolean => {
    const currentIndex = current.current === undefined ? -1 : ids.indexOf(current.current.id)
    const nextIndex = currentIndex === -1 ? (current.current?.index ?? 0) : currentIndex + step
    return goTo(Math.min(ids.length - 1, Math.max(0, nextIndex)))
  }
  return { stopAt: setCurrent, goTo, move }
}

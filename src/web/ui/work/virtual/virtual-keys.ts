import { useEffect, useRef } from 'react'

interface VirtualRows {
  /** All rows of the list, rendered or not. */
  ids: readonly string[]
  /** Finds the element of a row that takes the focus, if it is drawn. */
  elementOf: (id: string) => HTMLElement | null | undefined
  /** Called with the current row, which must be rendered from then on. */
  setStop: (id: string) => void
  /** Scrolls a row into view. */
  bring: (index: number) => void
}

/** Moves the focus in a list that renders only visible rows, including to rows that are not rendered yet. */
export function useVirtualKeys({ ids, elementOf, setStop, bring }: VirtualRows) {
  const at = useRef<{ id: string; index: number }>(undefined)
  const wanted = useRef<string>(undefined)
  const focusWanted = () => {
    const element = wanted.current === undefined ? undefined : elementOf(wanted.current)
    if (!element) return
    wanted.current = undefined
    element.focus({ preventScroll: true })
  }
  useEffect(() => {
    if (wanted.current !== undefined) focusWanted()
  })
  const stopAt = (id: string) => {
    at.current = { id, index: ids.indexOf(id) }
    setStop(id)
  }
  const goTo = (index: number): boolean => {
    const id = ids[index]
    if (id === undefined) return false
    bring(index)
    wanted.current = id
    stopAt(id)
    focusWanted()
    return true
  }
  /** Moves by a number of rows; the first time to the first one. */
  const move = (step: number): boolean => {
    const here = at.current === undefined ? -1 : ids.indexOf(at.current.id)
    const next = here === -1 ? (at.current?.index ?? 0) : here + step
    return goTo(Math.min(ids.length - 1, Math.max(0, next)))
  }
  return { stopAt, goTo, move }
}

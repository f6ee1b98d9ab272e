import { useCallback, useEffect } from 'react'
import { onEvent, onMissed, type ServerEvent } from './stream/stream.ts'

/** What happens within this is looked at once. */
const usualGatherMs = 300

/** Calls `look` a moment after something happened to items of these types, or may have. Keep both between renders. */
export function useEventsOfTypes(types: readonly string[], look: () => void): void {
  const concerns = useCallback(
    ({ item }: ServerEvent) => item !== undefined && types.includes(item.type),
    [types],
  )
  useEventsWhere(concerns, look)
}

/** Calls `look` a moment after events that concern it, or may have been missed. Keep both functions between renders. */
export function useEventsWhere(
  concerns: (event: ServerEvent) => boolean,
  look: () => void,
  gatherMs = usualGatherMs,
): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        look()
      }, gatherMs)
    }
    const leave = [
      onEvent((event) => {
        if (!document.hidden && concerns(event)) soon()
      }),
      onMissed(soon),
    ]
    return () => {
      clearTimeout(timer)
      for (const end of leave) end()
    }
  }, [concerns, look, gatherMs])
}

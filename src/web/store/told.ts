import { useEffect } from 'react'
import { onEvent, onMissed, type ServerEvent } from './stream/stream.ts'

/** What happens within this is looked at once. */
const gatherMs = 300

/** Calls `look` a moment after something happened to items of these types, or may have. Keep both between renders. */
export function useTold(types: readonly string[], look: () => void): void {
  useEffect(() => {
    let timer: ReturnType<typeof setTimeout> | undefined
    const soon = () => {
      timer ??= setTimeout(() => {
        timer = undefined
        look()
      }, gatherMs)
    }
    const leave = [
      onEvent(({ item }: ServerEvent) => {
        if (!document.hidden && item && types.includes(item.type)) soon()
      }),
      onMissed(soon),
    ]
    return () => {
      clearTimeout(timer)
      for (const end of leave) end()
    }
  }, [types, look])
}

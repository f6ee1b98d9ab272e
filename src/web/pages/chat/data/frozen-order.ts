import { useCallback, useEffect, useRef, useState } from 'react'

const frozenMs = 3000

/** Freezes the order of the conversations briefly while the reader moves through them by keyboard. */
export function useFrozenOrder(): { isFrozen: boolean; freeze: () => void } {
  const [isFrozen, setFrozen] = useState(false)
  const timer = useRef<ReturnType<typeof setTimeout>>(undefined)
  const freeze = useCallback(() => {
    setFrozen(true)
    clearTimeout(timer.current)
    timer.current = setTimeout(() => setFrozen(false), frozenMs)
  }, [])
  useEffect(() => () => clearTimeout(timer.current), [])
  return { isFrozen, freeze }
}

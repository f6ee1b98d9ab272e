import { useEffect, useState } from 'react'
import { wallOf } from './wall.ts'

/** Current local time in a zone; updated every minute. */
export function useNow(zone: string): string {
  const [now, setNow] = useState(() => wallOf(Date.now(), zone))
  useEffect(() => {
    const look = () => setNow(wallOf(Date.now(), zone))
    look()
    const timer = setInterval(look, 15_000)
    return () => clearInterval(timer)
  }, [zone])
  return now
}

import { useEffect, useState } from 'react'
import { wallOf } from './wall.ts'

/** What the clocks of a zone show now; it goes on by the minute. */
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

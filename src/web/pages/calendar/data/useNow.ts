import { useEffect, useState } from 'react'
import { wallOf } from './wall.ts'

/** Current wall-clock time in a zone, to the minute; checked every 15 seconds. */
export function useNow(zone: string): string {
  const [now, setNow] = useState(() => wallOf(Date.now(), zone))
  useEffect(() => {
    const update = () => setNow(wallOf(Date.now(), zone))
    update()
    const timer = setInterval(update, 15_000)
    return () => clearInterval(timer)
  }, [zone])
  return now
}

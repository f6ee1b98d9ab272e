import type { QueryClient } from '@tanstack/react-query'
import { watchConnection } from './connection-notice.ts'
import { keepFresh } from './fresh.ts'
import { askBeforeLeaving } from './leave-guard.ts'
import { startPresence } from './stream/presence.ts'
import { startRowSync } from './row-sync.ts'
import { clearTables } from './rows.ts'
import { startStream, stopStream, type StreamStart } from './stream/stream.ts'
import { outboxState } from './writing/write-queue.ts'
import { startWriting } from './writing/write.ts'

/**
 * Lets the store live for a person who is signed in: hears events from a position on, which was taken before anything was read,
 * and sends what waits. Returns what ends it and forgets all rows.
 */
export function startStore(
  person: { id: string; title: string },
  queries: QueryClient,
  start: StreamStart,
): () => void {
  const ends = [
    startRowSync(),
    keepFresh(queries),
    startWriting(person),
    watchConnection(),
    startPresence(),
    askBeforeLeaving(() => outboxState().isWaiting),
  ]
  startStream(start)
  return () => {
    stopStream()
    for (const end of ends) end()
    clearTables()
  }
}

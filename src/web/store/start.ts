import type { QueryClient } from '@tanstack/react-query'
import { watchConnection } from './connection-notice.ts'
import { refreshOnEvents } from './fresh.ts'
import { askBeforeLeaving } from './leave-guard.ts'
import { startPresence } from './stream/presence.ts'
import { startRowSync } from './row-sync.ts'
import { clearTables } from './rows.ts'
import { startStream, stopStream, type StreamStart } from './stream/stream.ts'
import { outboxState } from './writing/write-queue.ts'
import { startWriting } from './writing/write.ts'

/**
 * Starts the store for a signed-in person: receives events from a position obtained before any read, and sends
 * pending writes. Returns a function that stops it and clears all rows.
 */
export function startStore(
  person: { id: string; title: string },
  queries: QueryClient,
  streamStart: StreamStart,
): () => void {
  const stopFunctions = [
    startRowSync(),
    refreshOnEvents(queries),
    startWriting(person),
    watchConnection(),
    startPresence(),
    askBeforeLeaving(() => outboxState().isWaiting),
  ]
  startStream(streamStart)
  return () => {
    stopStream()
    for (const stop of stopFunctions) stop()
    clearTables()
  }
}

import type { QueryClient } from '@tanstack/react-query'
import { watchConnection } from './connection-notice.ts'
import { keepFresh } from './fresh.ts'
import { startPresence } from './stream/presence.ts'
import { startRowSync } from './row-sync.ts'
import { clearTables } from './rows.ts'
import { startStream, stopStream } from './stream/stream.ts'
import { outboxState } from './writing/write-queue.ts'
import { startWriting } from './writing/write.ts'

/** Lets the store live for a person who is signed in: hears events, sends what waits. Returns what ends it and forgets all rows. */
export function startStore(
  person: { id: string; title: string },
  queries: QueryClient,
): () => void {
  const ends = [
    startRowSync(),
    keepFresh(queries),
    startWriting(person),
    watchConnection(),
    startPresence(),
  ]
  startStream()
  window.addEventListener('beforeunload', askIfUnsent)
  return () => {
    window.removeEventListener('beforeunload', askIfUnsent)
    stopStream()
    for (const end of ends) end()
    clearTables()
  }
}

/** What waits is on the disk, but it is sent only while a tab is open. */
function askIfUnsent(event: BeforeUnloadEvent): void {
  if (outboxState().isWaiting) event.preventDefault()
}

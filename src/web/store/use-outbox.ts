import { useSyncExternalStore } from 'react'
import { onOutbox, outboxState, type Outbox } from './writing/write-queue.ts'

/** How many changes of one's own the server has not answered, and whether they wait for the connection. */
export function useOutbox(): Outbox {
  return useSyncExternalStore(onOutbox, outboxState)
}

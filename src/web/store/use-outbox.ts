import { useSyncExternalStore } from 'react'
import { onOutbox, outboxState, type Outbox } from './writing/write-queue.ts'

/** Number of own changes that the server has not answered, and whether they wait for the connection. */
export function useOutbox(): Outbox {
  return useSyncExternalStore(onOutbox, outboxState)
}

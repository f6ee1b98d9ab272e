import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Outside } from './job.ts'

/**
 * Background work that lasts as long as the server: connections that wait for external news. It queues jobs for the
 * results.
 */
export interface Watch {
  name: string
  /** Runs until the signal aborts. If it ends or fails earlier, it is restarted with increasing delays. */
  run(context: WatchContext): Promise<void>
}

export interface WatchContext extends Outside {
  /** Unfiltered tables, read-only. */
  readonly all: Kysely<Tables>
}

import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Outside } from './job.ts'

/**
 * Background work that lasts as long as the server: connections that wait for external news. It queues jobs for the
 * results.
 */
export interface Watch {
  name: string
  /** Goes on until the signal ends. Where it ends or fails before, it is begun again, after longer and longer waits. */
  run(context: WatchContext): Promise<void>
}

export interface WatchContext extends Outside {
  /** Whole tables, to read. */
  readonly all: Kysely<Tables>
}

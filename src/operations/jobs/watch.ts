import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { Outside } from './job.ts'

/** What goes on as long as a server does: connections on which news of elsewhere is waited for. What comes of it is asked for as jobs. */
export interface Watch {
  name: string
  /** Goes on until the signal ends. Where it ends or fails before, it is begun again, after longer and longer waits. */
  run(context: WatchContext): Promise<void>
}

export interface WatchContext extends Outside {
  /** Whole tables, to read. */
  readonly all: Kysely<Tables>
}

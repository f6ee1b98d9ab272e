import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { WriteContext } from '../context.ts'

export interface Tick {
  name: string
  /** Does at most one piece of work (some ten milliseconds) and says whether there is more. Runs inside a job of the writer. */
  run(system: TickContext): Promise<boolean>
  /** A tick that follows what changes: it is asked soon after each commit, with tables to read, whether there is something to do. */
  due?(all: Kysely<Tables>): Promise<boolean>
}

/** System work: no caller, no person, everything visible. Used by the files that hold a module's ticks only. */
export interface TickContext {
  readonly now: number
  /** Whole tables of all organizations, inside the writer's transaction: for finding what is due. */
  readonly all: Kysely<Tables>
  /**
   * Works under a person's name: recorded as their change via automation, with one entry in the call log under the tick's
   * name when anything changed. Where the person was deactivated, the organization's first active administrator stands in.
   * What throws is taken back as a whole, and thrown on.
   */
  as<T>(personId: string, work: (ctx: WriteContext) => Promise<T>, more?: ActingFor): Promise<T>
}

/** Limits of work done in a person's name, and its origin. */
export interface ActingFor {
  /** A key of theirs, in whose bounds it is done. @throws NoRights where it has ended */
  key?: string | null | undefined
  /** The run of an automation that it belongs to. */
  cause?: Cause | undefined
  /** Transport recorded in place of automation: taken over from elsewhere (sync), or done by the person (api, web). */
  via?: 'sync' | 'api' | 'web'
}

/** A run of an automation, recorded with what it changes. Its writes keep their first answer, even idempotent ones. */
export interface Cause {
  run: string
  /** Triggered from outside: whatever it sends waits for its owner's approval, with a key or without. */
  held: boolean
}

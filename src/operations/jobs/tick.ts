import type { Kysely } from 'kysely'
import type { Tables } from '../../db/tables.ts'
import type { WriteContext } from '../context.ts'

export interface Tick {
  name: string
  /**
   * Does at most one batch of work (about ten milliseconds) and returns whether there is more. Runs inside a job of
   * the writer.
   */
  run(system: TickContext): Promise<boolean>
  /**
   * For a tick that follows changes: checked shortly after each commit, with read access to tables, to see whether
   * there is work.
   */
  due?(all: Kysely<Tables>): Promise<boolean>
}

/** System work: no caller, no person, everything visible. Used only by the files with a module's ticks. */
export interface TickContext {
  readonly now: number
  /** Unfiltered tables of all organizations, inside the writer's transaction: for finding due work. */
  readonly all: Kysely<Tables>
  /**
   * Works as a person: recorded as their change via automation, with one entry in the call log under the tick's name
   * if anything changed. If the person was deactivated, the organization's first active administrator stands in. An
   * error rolls everything back and is rethrown.
   */
  as<T>(personId: string, work: (ctx: WriteContext) => Promise<T>, more?: ActingFor): Promise<T>
}

/** Limits of work done in a person's name, and its origin. */
export interface ActingFor {
  /** A key of theirs whose limits apply. @throws NoRights where it has ended */
  key?: string | null | undefined
  /** The automation run that it belongs to. */
  cause?: Cause | undefined
  /** Transport recorded in place of automation: taken over from elsewhere (sync), or done by the person (api, web). */
  via?: 'sync' | 'api' | 'web'
}

/** A run of an automation, recorded with its changes. Its writes keep their first answer, even idempotent ones. */
export interface Cause {
  run: string
  /** Triggered from outside: everything it sends waits for its owner's approval, with or without a key. */
  held: boolean
  /** The arguments contain text from outside the organization: items that the call writes are marked. */
  isExternal: boolean
}

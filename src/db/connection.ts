import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type SqlValue = string | number | bigint | null

/** SQL as text, for statements that run at every request or that the query builder has no words for. Values stand as `?`. */
export interface SqlText {
  /** The first row; undefined if there is none. */
  one<R>(sql: string, ...values: readonly SqlValue[]): Promise<R | undefined>
  all<R>(sql: string, ...values: readonly SqlValue[]): Promise<R[]>
  /** Returns how many rows were changed. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>
}

/** A connection to the database, of whichever engine. */
export type Connection = Kysely<Tables> & SqlText

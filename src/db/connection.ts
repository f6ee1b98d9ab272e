import type { Kysely } from 'kysely'
import type { Tables } from './tables.ts'

export type SqlValue = string | number | bigint | null

/** SQL text for statements run on every request or unsupported by the query builder. Placeholders are `?`. */
export interface SqlText {
  /** The first row; undefined if there is none. */
  one<R>(sql: string, ...values: readonly SqlValue[]): Promise<R | undefined>
  all<R>(sql: string, ...values: readonly SqlValue[]): Promise<R[]>
  /** Returns how many rows were changed. */
  run(sql: string, ...values: readonly SqlValue[]): Promise<number>
}

/** A connection to the database on either engine. */
export type Connection = Kysely<Tables> & SqlText

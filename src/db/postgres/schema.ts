import { assetText } from '../assets.ts'
import { portableSchema } from '../schema.ts'

/** schema.sql for PostgreSQL, and its triggers. */
export function postgresSchema(): string {
  return withBigints(portableSchema()) + assetText('postgres.sql')
}

/** Converts schema SQL for PostgreSQL, whose INTEGER has 32 bits where SQLite's has 64. */
export function withBigints(sql: string): string {
  return sql.replace(/\bINTEGER\b/g, 'BIGINT')
}

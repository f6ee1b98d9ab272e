import { assetText } from '../assets.ts'
import { portableSchema } from '../schema.ts'

/** schema.sql for PostgreSQL, and its triggers. */
export function postgresSchema(): string {
  return postgresForm(portableSchema()) + assetText('postgres.sql')
}

/** SQL that changes the schema: PostgreSQL's INTEGER has 32 bits where SQLite's has 64. */
export function postgresForm(sql: string): string {
  return sql.replace(/\bINTEGER\b/g, 'BIGINT')
}

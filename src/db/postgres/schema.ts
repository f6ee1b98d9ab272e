import { assetText } from '../assets.ts'
import { portableSchema } from '../schema.ts'

/** schema.sql for PostgreSQL, whose INTEGER has 32 bits where SQLite's has 64, and its triggers. */
export function postgresSchema(): string {
  return portableSchema().replace(/\bINTEGER\b/g, 'BIGINT') + assetText('postgres.sql')
}

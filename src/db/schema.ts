import { assetText } from './assets.ts'

/** The text of schema.sql, which PostgreSQL also loads. */
export function portableSchema(): string {
  return assetText('schema.sql')
}

/** Converts schema SQL for SQLite: STRICT tables, with the two type names that STRICT requires. Virtual tables stay unchanged. */
export function strict(sql: string): string {
  return sql
    .replace(/^CREATE (VIRTUAL )?TABLE[^]*?\n\);/gm, (whole, virtual?: string) =>
      virtual ? whole : `${whole.slice(0, -1)} STRICT;`,
    )
    .replace(/\bBIGINT\b/g, 'INTEGER')
    .replace(/\bDOUBLE PRECISION\b/g, 'REAL')
}

/** SQLite additions to the portable schema: full-text tables and triggers. */
export function sqliteAdditions(): string {
  return assetText('sqlite.sql')
}

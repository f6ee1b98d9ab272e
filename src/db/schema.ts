import { assetText } from './assets.ts'

/** schema.sql as it is on disk: the form that PostgreSQL loads too. */
export function portableSchema(): string {
  return assetText('schema.sql')
}

/** The same for SQLite: STRICT tables, and the two type names that STRICT knows instead. Virtual tables stay as they are. */
export function strict(sql: string): string {
  return sql
    .replace(/^CREATE (VIRTUAL )?TABLE[^]*?\n\);/gm, (whole, virtual?: string) =>
      virtual ? whole : `${whole.slice(0, -1)} STRICT;`,
    )
    .replace(/\bBIGINT\b/g, 'INTEGER')
    .replace(/\bDOUBLE PRECISION\b/g, 'REAL')
}

/** SQLite additions to the portable schema: full-text tables and triggers. */
export function sqliteOnly(): string {
  return assetText('sqlite.sql')
}

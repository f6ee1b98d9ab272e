import type Database from 'better-sqlite3'
import { checkDatabase, connectPostgres } from '../postgres/client.ts'
import { createSchemaInEmpty } from '../postgres/migrate.ts'
import { requireSameRows, type TableDigest } from './digest.ts'
import { fillPostgres, postgresDigest, disableTimeouts, withoutTriggers } from './postgres.ts'
import { sqliteRows } from './sqlite.ts'
import { movedTables } from './tables.ts'

/**
 * Copies all rows of a SQLite database into an empty PostgreSQL database in one transaction, and compares the result.
 * The SQLite connection blocks other writers meanwhile.
 * @returns the digests of the tables
 * @throws Refusal if PostgreSQL cannot store a text; NoDatabase if the database is not empty; DatabaseUnusable
 */
export async function moveIntoPostgres(
  source: Database.Database,
  url: string,
  onTableMoved: (table: TableDigest) => void,
): Promise<TableDigest[]> {
  const client = await connectPostgres(url)
  try {
    await checkDatabase(client)
    await client.query(`${disableTimeouts}; BEGIN`)
    await createSchemaInEmpty(client)
    const tables = movedTables()
    const sent: TableDigest[] = []
    await withoutTriggers(client, async () => {
      for (const table of tables) {
        const digest = await fillPostgres(client, table, sqliteRows(source, table))
        sent.push(digest)
        onTableMoved(digest)
      }
    })
    const arrived: TableDigest[] = []
    for (const table of tables) arrived.push(await postgresDigest(client, table))
    requireSameRows(sent, arrived)
    await client.query(
      "INSERT INTO search_changes (doc, version) SELECT rowid_, nextval('search_changes_version') FROM search_docs ORDER BY rowid_",
    )
    await client.query('COMMIT')
    await client.query('ANALYZE')
    return sent
  } finally {
    await client.end() // rolls back an open transaction
  }
}

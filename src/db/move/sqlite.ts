import type Database from 'better-sqlite3'
import { indexTables, columnList, selectAll, type MovedTable, type MovedRow } from './tables.ts'
import { tableColumns } from '../schema-shape.ts'
import { RowDigest, type TableDigest } from './digest.ts'

/** All rows of a table in key order. The connection is not used for anything else meanwhile. */
export function sqliteRows(db: Database.Database, table: MovedTable): Iterable<MovedRow> {
  return db.prepare(selectAll(table)).raw().safeIntegers().iterate() as Iterable<MovedRow>
}

/** Inserts rows. Returns their digest. */
export async function fillSqlite(
  db: Database.Database,
  table: MovedTable,
  rows: AsyncIterable<MovedRow>,
): Promise<TableDigest> {
  const digest = new RowDigest(table)
  const placeholders = table.columns.map(() => '?').join(', ')
  const names = columnList(table.columns.map(({ name }) => name))
  const insert = db.prepare(`INSERT INTO "${table.name}" (${names}) VALUES (${placeholders})`)
  for await (const row of rows) {
    insert.run(...row)
    digest.add(row)
  }
  return digest.end()
}

export function sqliteDigest(db: Database.Database, table: MovedTable): TableDigest {
  const digest = new RowDigest(table)
  for (const row of sqliteRows(db, table)) digest.add(row)
  return digest.end()
}

/**
 * Copies vectors and pending embedding work from one SQLite file into another with the same texts, so that nothing is
 * embedded again.
 */
export function copyVectors(from: string, into: Database.Database): void {
  into.prepare('ATTACH ? AS source').run(from)
  try {
    into.transaction(() => {
      for (const table of indexTables) {
        const columns = columnList(tableColumns(into, table).map(({ name }) => name))
        into.exec(
          `DELETE FROM main.${table}; INSERT INTO main.${table} (${columns}) SELECT ${columns} FROM source.${table}`,
        )
      }
    })()
  } finally {
    into.exec('DETACH source')
  }
}

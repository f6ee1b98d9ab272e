import type Database from 'better-sqlite3'

/** Number of rows per table of a workspace. */
export function rowCountsOf(db: Database.Database): Record<string, number> {
  const names = db
    .prepare(
      "SELECT name FROM pragma_table_list WHERE schema = 'main' AND type = 'table' AND name NOT LIKE 'sqlite%' ORDER BY name",
    )
    .pluck()
    .all() as string[]
  return Object.fromEntries(
    names.map((name) => [
      name,
      db.prepare(`SELECT count(*) FROM "${name}"`).pluck().get() as number,
    ]),
  )
}

/** Rows that need the master key: encrypted columns are called `*_sealed`. */
export function sealedRows(db: Database.Database): number {
  const columns = db
    .prepare(
      "SELECT t.name AS \"table\", c.name AS \"column\" FROM pragma_table_list t, pragma_table_info(t.name) c WHERE t.schema = 'main' AND t.type = 'table' AND c.name LIKE '%\\_sealed' ESCAPE '\\'",
    )
    .all() as { table: string; column: string }[]
  return columns.reduce(
    (sum, { table, column }) =>
      sum +
      (db
        .prepare(`SELECT count(*) FROM "${table}" WHERE "${column}" IS NOT NULL`)
        .pluck()
        .get() as number),
    0,
  )
}

/**
 * Query for the file contents that a database refers to (`sha256`), each with its bytes (`size`); on either database.
 */
export const contentsQuery =
  "SELECT sha256, max(size_bytes) AS size FROM (SELECT sha256, size_bytes FROM file_versions UNION ALL SELECT sha256, size_bytes FROM files WHERE content_base64 = '') AS named WHERE sha256 <> '' GROUP BY sha256 ORDER BY sha256"

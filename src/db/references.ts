import type Database from 'better-sqlite3'

/** A column that names rows of a table by their id. */
export interface Reference {
  table: string
  column: string
  /** The row goes with the one that it names. */
  cascades: boolean
}

const known = new WeakMap<Database.Database, Map<string, Reference[]>>()

/** Which columns name rows of this table, by the foreign keys of the schema; tables that name others before those others. */
export function referencesTo(db: Database.Database, table: string): readonly Reference[] {
  let all = known.get(db)
  if (!all) known.set(db, (all = readReferences(db)))
  return all.get(table) ?? []
}

function readReferences(db: Database.Database): Map<string, Reference[]> {
  const rows = db
    .prepare(
      `SELECT f."table" AS named, t.name AS "table", f."from" AS "column", f.on_delete = 'CASCADE' AS cascades
       FROM sqlite_schema t, pragma_foreign_key_list(t.name) f WHERE t.type = 'table' AND f."to" = 'id' ORDER BY t.name, f.id`,
    )
    .all() as (Omit<Reference, 'cascades'> & { named: string; cascades: 0 | 1 })[]
  const order = namingFirst(rows)
  rows.sort((a, b) => order.indexOf(a.table) - order.indexOf(b.table))
  const all = new Map<string, Reference[]>()
  for (const { named, table, column, cascades } of rows)
    all.set(named, [...(all.get(named) ?? []), { table, column, cascades: cascades === 1 }])
  return all
}

/** The tables in an order in which rows can be deleted: whoever names somebody goes before them. */
function namingFirst(rows: readonly { table: string; named: string }[]): string[] {
  const order: string[] = []
  const seen = new Set<string>()
  const place = (table: string) => {
    if (seen.has(table)) return
    seen.add(table)
    for (const row of rows) if (row.named === table && row.table !== table) place(row.table)
    order.push(table)
  }
  for (const { table } of rows) place(table)
  return order
}

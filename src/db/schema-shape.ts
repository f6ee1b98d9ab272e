import type Database from 'better-sqlite3'

export interface Column {
  name: string
  type: string
  notnull: number
  pk: number
}

export interface ForeignKey {
  id: number
  table: string
  from: string
  to: string | null
  on_delete: string
}

export const tablesOf = (db: Database.Database) =>
  (
    db
      .prepare(
        "SELECT name, strict, type FROM pragma_table_list WHERE schema = 'main' AND name NOT LIKE 'sqlite%' ORDER BY name",
      )
      .all() as { name: string; strict: number; type: string }[]
  ).filter((row) => row.type === 'table')
export const tableColumns = (db: Database.Database, table: string) =>
  db.pragma(`table_info(${table})`) as Column[]
export const foreignKeysOf = (db: Database.Database, table: string) =>
  db.pragma(`foreign_key_list(${table})`) as ForeignKey[]
const normalizeSql = (sql: string | null) =>
  (sql ?? '')
    .replace(/--.*$/gm, '')
    .replace(/\s+/g, ' ')
    .replace(/ ?([(),]) ?/g, '$1')
    .trim()

/** The structure of a schema for comparison, regardless of its text and the order of its columns. */
export function schemaStructure(db: Database.Database): Record<string, unknown> {
  const checkConstraints = (sql: string) =>
    [...normalizeSql(sql).matchAll(/CHECK\((?:[^()]|\([^()]*\)|\((?:[^()]|\([^()]*\))*\))*\)/g)]
      .map(([check]) => check)
      .sort()
  const schemaObjects = db
    .prepare("SELECT type, name, sql FROM sqlite_schema WHERE name NOT LIKE 'sqlite%'")
    .all() as { type: string; name: string; sql: string }[]
  const tables = tablesOf(db).map(({ name, strict }) => {
    const sql = schemaObjects.find((item) => item.name === name)!.sql
    const columns = tableColumns(db, name)
      .map(({ name, type, notnull, pk }) => `${name} ${type} ${notnull} ${pk}`)
      .sort()
    const keys = foreignKeysOf(db, name)
      .map(({ table, from, to, on_delete }) => `${from} ${table}.${to} ${on_delete}`)
      .sort()
    const unique = (
      db.pragma(`index_list(${name})`) as { name: string; unique: number; origin: string }[]
    )
      .filter((item) => item.origin !== 'c')
      .map((item) =>
        (db.pragma(`index_info(${item.name})`) as { name: string }[])
          .map((column) => column.name)
          .join(','),
      )
      .sort()
    return [name, { strict, columns, keys, unique, checks: checkConstraints(sql) }] as const
  })
  const otherObjects = schemaObjects
    .filter((item) => item.type !== 'table' || /^CREATE VIRTUAL/.test(item.sql))
    .map((item) => [`${item.type} ${item.name}`, normalizeSql(item.sql)] as const)
  return Object.fromEntries([...tables, ...otherObjects.sort()])
}

// `npm run tables`: writes src/db/tables.ts from schema.sql, with a type per table and ids branded with their table.

import { writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import { portableSchema, strict } from '../src/db/schema.ts'

interface Column {
  name: string
  type: string
  notnull: number
  pk: number
}

/** The text of tables.ts. `npm run tables` writes it; schema.test.ts checks that it matches schema.sql. */
export function tableTypes(): string {
  const sql = portableSchema()
  const db = new Database(':memory:')
  db.exec(strict(sql))
  const tables = db
    .prepare("SELECT name FROM sqlite_schema WHERE type = 'table' ORDER BY name")
    .pluck()
    .all() as string[]
  const listed = (isListed: (column: Column) => boolean) =>
    tables
      .map(
        (table) =>
          `  ${table}: ${list(
            columnsOf(db, table)
              .filter(isListed)
              .map((column) => column.name),
          )},`,
      )
      .join('\n')
  const blocks = tables.map((table) => interfaceOf(db, table, choices(sql, table)))
  const index = tables.map((table) => `  ${table}: ${typeName(table)}`).join('\n')
  const text = [
    '// Generated from schema.sql by `npm run tables`; not edited by hand.',
    "import type { Id } from '../kernel/ids.ts'",
    '',
    ...blocks,
    `export interface Tables {\n${index}\n}`,
    '',
    '/** The columns that may be NULL. */',
    `export const nullable: { [T in keyof Tables]: readonly string[] } = {\n${listed((column) => !column.notnull && !column.pk)}\n}`,
    '',
    '/** All columns. */',
    `export const columns: { [T in keyof Tables]: readonly string[] } = {\n${listed(() => true)}\n}`,
    '',
    '/** Columns that name rows of a table by their id; `cascades`: the row goes with the one that it names. */',
    `export const references: readonly {\n  table: keyof Tables\n  column: string\n  named: keyof Tables\n  cascades: boolean\n}[] = [\n${tables.flatMap((table) => referencesOf(db, table)).join('\n')}\n]`,
    '',
  ].join('\n')
  db.close()
  return text
}

function referencesOf(db: Database.Database, table: string): string[] {
  const keys = db.pragma(`foreign_key_list(${table})`) as {
    id: number
    table: string
    from: string
    to: string
    on_delete: string
  }[]
  return keys
    .filter((key) => key.to === 'id')
    .sort((first, second) => first.id - second.id)
    .map(
      ({ table: targetTable, from, on_delete }) =>
        `  { table: '${table}', column: '${from}', named: '${targetTable}', cascades: ${on_delete === 'CASCADE'} },`,
    )
}

function interfaceOf(db: Database.Database, table: string, enums: Map<string, string[]>): string {
  const columns = columnsOf(db, table)
  const keys = db.pragma(`foreign_key_list(${table})`) as {
    table: string
    from: string
    to: string
  }[]
  const tableOf = (column: string): string | undefined => {
    if (column === 'id') return table
    if (column === 'org_id') return 'orgs'
    return keys.find((key) => key.from === column && key.to === 'id')?.table
  }
  const lines = columns.map((column) => {
    const tableName = tableOf(column.name)
    const type = tableName
      ? `Id<'${tableName}'>`
      : (enums.get(column.name)?.join(' | ') ?? plainType(column.type))
    return `  ${column.name}: ${type}${column.notnull || column.pk ? '' : ' | null'}`
  })
  return `export interface ${typeName(table)} {\n${lines.join('\n')}\n}\n`
}

function columnsOf(db: Database.Database, table: string): Column[] {
  return db.pragma(`table_info(${table})`) as Column[]
}

function list(names: string[]): string {
  return `[${names.map((name) => `'${name}'`).join(', ')}]`
}

/** Parses CHECK (column IN (…)) of one table. */
function choices(sql: string, table: string): Map<string, string[]> {
  const body = sql.slice(sql.indexOf(`CREATE TABLE ${table} (`)).split('\n);')[0]!
  const matches = body.matchAll(/CHECK \((\w+) IN \(([^)]*)\)\)/g)
  return new Map([...matches].map(([, column, list]) => [column!, list!.split(/,\s*/)]))
}

function plainType(sqlType: string): string {
  return sqlType === 'TEXT' ? 'string' : 'number'
}

function typeName(table: string): string {
  return `${table.replace(/(^|_)(\w)/g, (_, __, letter: string) => letter.toUpperCase())}Table`
}

if (process.argv[1] === import.meta.filename)
  writeFileSync(new URL('../src/db/tables.ts', import.meta.url), tableTypes())

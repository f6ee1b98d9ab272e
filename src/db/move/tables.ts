import Database from 'better-sqlite3'
import { portableSchema, strict } from '../schema.ts'
import { tableColumns, tablesOf } from '../schema-shape.ts'

/** A row's value, exact on both engines. */
export type MovedValue = string | bigint | number | null
export type MovedRow = readonly MovedValue[]

export interface MovedColumn {
  name: string
  type: 'text' | 'integer' | 'real'
}

/** A table whose rows move from one engine to the other. */
export interface MovedTable {
  name: string
  columns: readonly MovedColumn[]
  /** Columns by which rows are read in order: the primary key, or all columns. */
  order: readonly string[]
}

/** Tables that PostgreSQL does not use: they belong to the search index, which is a SQLite file in either case. */
export const indexTables = [
  'search_spaces',
  'search_providers',
  'search_todo',
  'search_vectors',
  'search_terms',
] as const

const types = { TEXT: 'text', INTEGER: 'integer', REAL: 'real' } as const

/** The tables of schema.sql whose rows move, by name. */
export function movedTables(): MovedTable[] {
  const db = new Database(':memory:')
  try {
    db.exec(strict(portableSchema()))
    const left = new Set<string>(indexTables)
    return tablesOf(db)
      .filter(({ name }) => !left.has(name))
      .map(({ name }) => movedTable(db, name))
  } finally {
    db.close()
  }
}

function movedTable(db: Database.Database, name: string): MovedTable {
  const columns = tableColumns(db, name)
  const key = columns.filter(({ pk }) => pk > 0).sort((a, b) => a.pk - b.pk)
  return {
    name,
    columns: columns.map((column) => ({ name: column.name, type: movedColumnType(name, column) })),
    order: (key.length > 0 ? key : columns).map((column) => column.name),
  }
}

function movedColumnType(
  table: string,
  column: { name: string; type: string },
): MovedColumn['type'] {
  const type = types[column.type as keyof typeof types]
  if (!type) throw new Error(`${table}.${column.name} has the unknown type ${column.type}.`)
  return type
}

const quoteName = (name: string) => `"${name}"`

/** A column list for a statement of either engine. */
export function columnList(names: readonly string[]): string {
  return names.map(quoteName).join(', ')
}

/** Selects all rows of a table in key order. */
export function selectAll({ name, columns, order }: MovedTable): string {
  return `SELECT ${columnList(columns.map((column) => column.name))} FROM ${quoteName(name)} ORDER BY ${columnList(order)}`
}

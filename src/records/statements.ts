import { columns, nullable } from '../db/tables.ts'
import type { TableName } from './resource.ts'
import type { Values } from './row.ts'

const columnSets = new Map<TableName, ReadonlySet<string>>()

function hasColumn(table: TableName, name: string): boolean {
  const names = columnSets.get(table) ?? new Set(columns[table])
  columnSets.set(table, names)
  return names.has(name)
}

export function columnNames(table: TableName, values: Values): string[] {
  const names = Object.keys(values)
  const unknown = names.find((name) => !hasColumn(table, name))
  if (unknown !== undefined) throw new Error(`Table ${table} has no column ${unknown}.`)
  return names
}

export function keyConditionOf(table: TableName, key: Values): string {
  return columnNames(table, key)
    .map((name) => `${quoteIdentifier(name)} = ?`)
    .join(' and ')
}

export function quoteIdentifier(name: string): string {
  return `"${name}"`
}

/** Filters stamped values to the columns that the table has. */
export function known(table: TableName, stamp: Values): Values {
  return Object.fromEntries(Object.entries(stamp).filter(([column]) => hasColumn(table, column)))
}

/** Nullable columns are optional in add(), but included in the returned row. */
export function nullsOf(table: TableName): Values {
  return Object.fromEntries(nullable[table].map((column) => [column, null]))
}

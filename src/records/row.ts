import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from '../db/tables.ts'

export type TableName = keyof Tables
export type Row<T extends TableName> = Tables[T]
/** A query over one table that is already narrowed to what the viewer may see. */
export type Scoped<T extends TableName> = SelectQueryBuilder<Tables, T, {}>
export type Level = 'see' | 'edit' | 'own'

/** Tables whose rows have an id of their own. */
export type ItemTable = {
  [T in TableName]: Tables[T] extends { id: string } ? T : never
}[TableName]

/**
 * Rows of any table, as far as the compiler is concerned those of one: over the union of all it takes seconds. Columns
 * are named by `sql.ref`.
 */
export function anyRows(rows: object): Scoped<'tasks'> {
  return rows as Scoped<'tasks'>
}

/** Columns of a row by their names, where the table is known only at run time. */
export type Values = Record<string, unknown>

/** Such values as the definition of their table takes them. */
export function itemRow(values: object): Row<ItemTable>
export function itemRow(values: object | undefined): Row<ItemTable> | undefined
export function itemRow(values: object | undefined): Row<ItemTable> | undefined {
  return values as Row<ItemTable> | undefined
}

/** The same for a table that may be one of parts. */
export function tableRow(values: object): Row<TableName>
export function tableRow(values: object | undefined): Row<TableName> | undefined
export function tableRow(values: object | undefined): Row<TableName> | undefined {
  return values as Row<TableName> | undefined
}

/** The rows that a query finds, with all their columns. */
export async function wholeRows<T extends TableName>(
  query: Scoped<T>,
  table: T,
): Promise<Row<T>[]> {
  return (await query.selectAll(table).execute()) as unknown as Row<T>[]
}

/** The value of a column that is known by its name only. */
export function columnOf(row: object, column: string): unknown {
  return (row as Record<string, unknown>)[column]
}

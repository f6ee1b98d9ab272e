import type { SelectQueryBuilder } from 'kysely'
import type { Tables } from '../db/tables.ts'

export type TableName = keyof Tables
export type Row<T extends TableName> = Tables[T]
/** A query on one table, narrowed to what the viewer can see. */
export type Scoped<T extends TableName> = SelectQueryBuilder<Tables, T, {}>
export type Level = 'see' | 'edit' | 'own'

/** Tables whose rows have an id. */
export type ItemTable = {
  [T in TableName]: Tables[T] extends { id: string } ? T : never
}[TableName]

/**
 * Rows of any table, typed as those of one: type checking the union of all takes seconds. Columns are named with
 * `sql.ref`.
 */
export function anyRows(rows: object): Scoped<'tasks'> {
  return rows as Scoped<'tasks'>
}

/** Columns of a row by name, if the table is known only at run time. */
export type Values = Record<string, unknown>

/** Casts such values to a row of an item table. */
export function itemRow(values: object): Row<ItemTable>
export function itemRow(values: object | undefined): Row<ItemTable> | undefined
export function itemRow(values: object | undefined): Row<ItemTable> | undefined {
  return values as Row<ItemTable> | undefined
}

/** Casts such values to a row of any table, including part tables. */
export function tableRow(values: object): Row<TableName>
export function tableRow(values: object | undefined): Row<TableName> | undefined
export function tableRow(values: object | undefined): Row<TableName> | undefined {
  return values as Row<TableName> | undefined
}

/** The rows of a query with all columns. */
export async function wholeRows<T extends TableName>(
  query: Scoped<T>,
  table: T,
): Promise<Row<T>[]> {
  return (await query.selectAll(table).execute()) as unknown as Row<T>[]
}

/** The value of a column by its name. */
export function columnOf(row: object, column: string): unknown {
  return (row as Record<string, unknown>)[column]
}

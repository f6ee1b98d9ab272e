import { CompiledQuery } from 'kysely'
import { BoundedMap } from '../../kernel/bounded-map.ts'
import { findPart } from '../part.ts'
import type { AccessScope } from '../access-scope.ts'
import type { TableName, Values } from '../row.ts'
import { columnNames, keyConditionOf, quoteIdentifier } from '../statements.ts'

/**
 * Statements that write and read rows of guarded tables. They are built as text from the table and its columns: a
 * query builder would cost more than they do. Column names come from the schema.
 */
export class RowStatements {
  readonly #all: AccessScope['all']

  constructor(all: AccessScope['all']) {
    this.#all = all
  }

  async insert(table: TableName, values: Values): Promise<void> {
    await this.run(insertText(table, values), Object.values(values))
  }

  async update(table: TableName, key: Values, values: Values): Promise<void> {
    const set = columnNames(table, values)
      .map((name) => `${quoteIdentifier(name)} = ?`)
      .join(', ')
    await this.run(`update "${table}" set ${set} where ${keyConditionOf(table, key)}`, [
      ...Object.values(values),
      ...Object.values(key),
    ])
  }

  async delete(table: TableName, key: Values): Promise<void> {
    await this.run(`delete from "${table}" where ${keyConditionOf(table, key)}`, Object.values(key))
  }

  async byId(table: TableName, id: unknown): Promise<Values | undefined> {
    return (await this.where(table, { id }))[0]
  }

  /** The rows with these values. */
  where(table: TableName, key: Values): Promise<Values[]> {
    return this.run(
      `select * from "${table}" where ${keyConditionOf(table, key)}`,
      Object.values(key),
    )
  }

  async run(text: string, parameters: readonly unknown[] = []): Promise<Values[]> {
    const { rows } = await this.#all.executeQuery<Values>(CompiledQuery.raw(text, [...parameters]))
    return rows
  }
}

/** Rows of a table have few combinations of columns: the text of each statement is cached. */
const insertTexts = new BoundedMap<string, string>(500)

function insertText(table: TableName, values: Values): string {
  const shape = `${table} ${Object.keys(values).join(' ')}`
  let text = insertTexts.get(shape)
  if (text === undefined) {
    const names = columnNames(table, values)
    text = `insert into "${table}" (${names.map(quoteIdentifier).join(', ')}) values (${names.map(() => '?').join(', ')})`
    insertTexts.set(shape, text)
  }
  return text
}

/** The columns that identify a row: the unique ones in a part table, else its id. */
export function rowKey(table: TableName, row: Values): Values {
  const part = findPart(table)
  if (!part) return { id: row.id }
  return Object.fromEntries(part.definition.unique.map((column) => [column, row[column]]))
}

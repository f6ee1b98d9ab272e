import { CompiledQuery } from 'kysely'
import { findPart } from '../part.ts'
import type { AccessScope } from '../access-scope.ts'
import type { TableName, Values } from '../row.ts'
import { columnNames, matching, quoted } from '../statements.ts'

/**
 * The statements that write and read rows of guarded tables. They are texts made of the table and its columns: a query
 * builder would cost more than they do. Column names are the schema's.
 */
export class RowStatements {
  readonly #all: AccessScope['all']

  constructor(all: AccessScope['all']) {
    this.#all = all
  }

  async insert(table: TableName, values: Values): Promise<void> {
    const names = columnNames(table, values)
    await this.run(
      `insert into "${table}" (${names.map(quoted).join(', ')}) values (${names.map(() => '?').join(', ')})`,
      Object.values(values),
    )
  }

  async update(table: TableName, key: Values, values: Values): Promise<void> {
    const set = columnNames(table, values)
      .map((name) => `${quoted(name)} = ?`)
      .join(', ')
    await this.run(`update "${table}" set ${set} where ${matching(table, key)}`, [
      ...Object.values(values),
      ...Object.values(key),
    ])
  }

  async delete(table: TableName, key: Values): Promise<void> {
    await this.run(`delete from "${table}" where ${matching(table, key)}`, Object.values(key))
  }

  async byId(table: TableName, id: unknown): Promise<Values | undefined> {
    return (await this.where(table, { id }))[0]
  }

  /** The rows that have these values. */
  where(table: TableName, key: Values): Promise<Values[]> {
    return this.run(`select * from "${table}" where ${matching(table, key)}`, Object.values(key))
  }

  async run(text: string, parameters: readonly unknown[] = []): Promise<Values[]> {
    const { rows } = await this.#all.executeQuery<Values>(CompiledQuery.raw(text, [...parameters]))
    return rows
  }
}

/** The columns by which a row is found again: those that are unique in a part table, else its id. */
export function rowKey(table: TableName, row: Values): Values {
  const part = findPart(table)
  if (!part) return { id: row.id }
  return Object.fromEntries(part.definition.unique.map((column) => [column, row[column]]))
}

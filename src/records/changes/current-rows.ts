import { columns } from '../../db/tables.ts'
import type { TableName, Values } from '../row.ts'
import type { RowStatements } from './row-statements.ts'

/** Current items within a call, and which of them have increased their revision, which happens once per call. */
export class CurrentRows {
  readonly #statements: RowStatements
  readonly #rows = new Map<string, Values>()
  readonly #counted = new Set<string>()

  constructor(statements: RowStatements) {
    this.#statements = statements
  }

  /** A row as changed by this call, else as stored. */
  async read(table: TableName, id: string): Promise<Values | undefined> {
    return this.#rows.get(id) ?? this.#statements.byId(table, id)
  }

  keep(row: Values): void {
    this.#rows.set(row.id as string, row)
  }

  drop(id: string): void {
    this.#rows.delete(id)
  }

  isCounted(id: string): boolean {
    return this.#counted.has(id)
  }

  count(id: string): void {
    this.#counted.add(id)
  }

  /** The stored revision plus one, once per call. */
  async nextRevision(table: TableName, id: string): Promise<number> {
    if (!columns[table].includes('revision')) return 0
    const row = await this.read(table, id)
    return ((row?.revision as number | undefined) ?? 0) + (this.#counted.has(id) ? 0 : 1)
  }

  /** Returns a function that restores which rows were counted; the rows themselves are read again. */
  savepoint(): () => void {
    const counted = new Set(this.#counted)
    return () => {
      this.#rows.clear()
      this.#counted.clear()
      for (const id of counted) this.#counted.add(id)
    }
  }
}

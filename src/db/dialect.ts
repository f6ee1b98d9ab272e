import type Database from 'better-sqlite3'
import {
  CompiledQuery,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
  type DatabaseConnection,
  type Dialect,
  type Driver,
  type LimitNode,
  type QueryResult,
} from 'kysely'

/** Statements kept prepared; a list over a changing number of ids must not fill memory. */
const keptStatements = 500

/** Prepares each distinct SQL text once. Kysely's own dialect prepares at every call, which doubles the cost of a small query. */
export class Statements {
  readonly #db: Database.Database
  readonly #kept = new Map<string, Database.Statement>()

  constructor(db: Database.Database) {
    this.#db = db
  }

  get(sql: string): Database.Statement {
    let statement = this.#kept.get(sql)
    if (!statement) {
      statement = this.#db.prepare(sql)
      if (this.#kept.size >= keptStatements) this.#kept.delete(this.#kept.keys().next().value!)
      this.#kept.set(sql, statement)
    }
    return statement
  }
}

class Connection implements DatabaseConnection {
  readonly #statements: Statements

  constructor(statements: Statements) {
    this.#statements = statements
  }

  executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
    try {
      return Promise.resolve(this.#run<R>(query))
    } catch (error) {
      return Promise.reject(error)
    }
  }

  #run<R>(query: CompiledQuery): QueryResult<R> {
    const statement = this.#statements.get(query.sql)
    if (statement.reader) return { rows: statement.all(...query.parameters) as R[] }
    const { changes, lastInsertRowid } = statement.run(...query.parameters)
    return { rows: [], numAffectedRows: BigInt(changes), insertId: BigInt(lastInsertRowid) }
  }

  streamQuery<R>(): AsyncIterableIterator<QueryResult<R>> {
    throw new Error('Streaming would keep the connection busy; page instead.')
  }
}

/** Kysely's mutex is left out: the writer runs one job after the other, and the reader only reads. */
class OneConnection implements Driver {
  readonly #connection: Connection

  constructor(statements: Statements) {
    this.#connection = new Connection(statements)
  }

  async init(): Promise<void> {}
  acquireConnection(): Promise<DatabaseConnection> {
    return Promise.resolve(this.#connection)
  }
  async releaseConnection(): Promise<void> {}
  async destroy(): Promise<void> {}
  beginTransaction(): Promise<void> {
    throw new Error('Transactions belong to the writer.')
  }
  commitTransaction(): Promise<void> {
    throw new Error('Transactions belong to the writer.')
  }
  rollbackTransaction(): Promise<void> {
    throw new Error('Transactions belong to the writer.')
  }
}

/**
 * Limits are literals, and other values stand as `+?`. SQLite may plan a statement anew whenever a value is bound that its plan could depend on,
 * and every value is bound anew for each run: that costs more than most of our queries do. A value behind a plus is the same value, and no plan
 * looks at it; at a limit, plans should look.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }

  protected override visitLimit(node: LimitNode): void {
    const limit = ValueNode.is(node.limit) ? node.limit.value : undefined
    if (typeof limit === 'number') this.append(`limit ${Math.trunc(limit)}`)
    else super.visitLimit(node)
  }
}

/** A Kysely over one open connection, without transactions of its own. */
export function kyselyOver<T>(db: Database.Database): Kysely<T> {
  const statements = new Statements(db)
  const dialect: Dialect = {
    createAdapter: () => new SqliteAdapter(),
    createDriver: () => new OneConnection(statements),
    createIntrospector: other => new SqliteIntrospector(other),
    createQueryCompiler: () => new Compiler(),
  }
  return new Kysely<T>({ dialect })
}

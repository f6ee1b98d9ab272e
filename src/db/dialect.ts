import type Database from 'better-sqlite3'
import {
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  type BinaryOperationNode,
  type CompiledQuery,
  type ConnectionProvider,
  type Dialect,
  type LimitNode,
  type QueryResult,
} from 'kysely'
import { BoundedMap } from '../kernel/bounded-map.ts'
import type { SqlText, SqlValue } from './connection.ts'
import { limitText, withIndexLiterals } from './literals.ts'

/** Statements kept prepared; a list over a changing number of ids must not fill memory. */
const keptStatements = 500

/** Prepares each distinct SQL text once. Kysely's own dialect prepares at every call, which doubles the cost of a small query. */
export class Statements {
  readonly #db: Database.Database
  readonly #kept = new BoundedMap<string, Database.Statement>(keptStatements)

  constructor(db: Database.Database) {
    this.#db = db
  }

  /** `written`: the text as SQLite is to get it. */
  get(sql: string, written: (sql: string) => string = (same) => same): Database.Statement {
    let statement = this.#kept.get(sql)
    if (!statement) {
      statement = this.#db.prepare(written(sql))
      this.#kept.set(sql, statement)
    }
    return statement
  }
}

/**
 * Statements that read what is committed. They run on the writing connection: each commit, that of an entry in the call log
 * too, empties the page caches of all connections but its own. While a transaction is open there, and where a
 * statement could write, they run on the connection that can only read.
 */
class CommittedStatements extends Statements {
  readonly #write: Database.Database
  readonly #onReading: Statements

  constructor(write: Database.Database, read: Database.Database) {
    super(write)
    this.#write = write
    this.#onReading = new Statements(read)
  }

  override get(sql: string, written?: (sql: string) => string): Database.Statement {
    if (!this.#write.inTransaction) {
      const statement = super.get(sql, written)
      if (statement.readonly && statement.reader) return statement
    }
    return this.#onReading.get(sql, written)
  }
}

/**
 * Limits and what partial indexes are about are literals, and other values stand as `+?`. SQLite may plan a statement anew whenever a value is bound that its plan could depend on,
 * and every value is bound anew for each run: that costs more than most of our queries do. A value behind a plus is the same value, and no plan
 * looks at it; at a limit, plans should look.
 */
class Compiler extends SqliteQueryCompiler {
  protected override getCurrentParameterPlaceholder(): string {
    return '+?'
  }

  protected override visitBinaryOperation(node: BinaryOperationNode): void {
    super.visitBinaryOperation(withIndexLiterals(node))
  }

  protected override visitLimit(node: LimitNode): void {
    const text = limitText(node)
    if (text) this.append(text)
    else super.visitLimit(node)
  }
}

const noConnections: ConnectionProvider = {
  provideConnection: () =>
    Promise.reject(
      new Error(
        'Transactions belong to the writer, and streams would keep the connection busy; page instead.',
      ),
    ),
}

/**
 * Runs each query at once, on the one connection. What Kysely's own executor does on the way to it (plugins, a pool, a mutex) has no use here:
 * the writer runs one job after the other, and the reader only reads.
 */
class Executor extends DefaultQueryExecutor {
  readonly #statements: Statements

  constructor(statements: Statements) {
    super(new Compiler(), new SqliteAdapter(), noConnections)
    this.#statements = statements
  }

  override executeQuery<R>(query: CompiledQuery): Promise<QueryResult<R>> {
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
}

const dialect: Dialect = {
  createAdapter: () => new SqliteAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new SqliteIntrospector(db),
  createQueryCompiler: () => new Compiler(),
}

class SqliteConnection<T> extends Kysely<T> implements SqlText {
  readonly #statements: Statements

  constructor(statements: Statements) {
    super({
      config: { dialect },
      dialect,
      driver: dialect.createDriver(),
      executor: new Executor(statements),
    })
    this.#statements = statements
  }

  async one<R>(sql: string, ...values: readonly SqlValue[]): Promise<R | undefined> {
    return this.#prepared(sql).get(...values) as R | undefined
  }

  async all<R>(sql: string, ...values: readonly SqlValue[]): Promise<R[]> {
    return this.#prepared(sql).all(...values) as R[]
  }

  async run(sql: string, ...values: readonly SqlValue[]): Promise<number> {
    return this.#prepared(sql).run(...values).changes
  }

  /** Why `+?`: see Compiler. */
  #prepared(sql: string): Database.Statement {
    return this.#statements.get(sql, (text) => text.replaceAll('?', '+?'))
  }
}

/** A Kysely over one open connection, without transactions of its own. */
export function kyselyOver<T>(db: Database.Database): Kysely<T> & SqlText {
  return new SqliteConnection<T>(new Statements(db))
}

/** A Kysely that reads what is committed, over the two connections to one file. */
export function readingOver<T>(
  write: Database.Database,
  read: Database.Database,
): Kysely<T> & SqlText {
  return new SqliteConnection<T>(new CommittedStatements(write, read))
}

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

/** Maximum prepared statements; lists with varying numbers of ids must not fill memory. */
const maxStatements = 500

/**
 * Prepares each distinct SQL text once. Kysely's own dialect prepares on every call, which doubles the cost of a
 * small query.
 */
export class Statements {
  readonly #db: Database.Database
  readonly #statements = new BoundedMap<string, Database.Statement>(maxStatements)

  constructor(db: Database.Database) {
    this.#db = db
  }

  /** `convert`: converts the text to the form that SQLite prepares. */
  get(sql: string, convert: (sql: string) => string = (same) => same): Database.Statement {
    let statement = this.#statements.get(sql)
    if (!statement) {
      statement = this.#db.prepare(convert(sql))
      this.#statements.set(sql, statement)
    }
    return statement
  }
}

/**
 * Statements that read committed data. They run on the writing connection, since each commit, even of a call log
 * entry, clears the page caches of all other connections. During a transaction on that connection, and for statements
 * that could write, the read-only connection is used.
 */
class CommittedStatements extends Statements {
  readonly #write: Database.Database
  readonly #readStatements: Statements

  constructor(write: Database.Database, read: Database.Database) {
    super(write)
    this.#write = write
    this.#readStatements = new Statements(read)
  }

  override get(sql: string, convert?: (sql: string) => string): Database.Statement {
    if (!this.#write.inTransaction) {
      const statement = super.get(sql, convert)
      if (statement.readonly && statement.reader) return statement
    }
    return this.#readStatements.get(sql, convert)
  }
}

/**
 * Writes limits and values of partial index conditions as literals, and other values as `+?`. SQLite may replan a
 * statement whenever a value that affects its plan is bound, and every run binds all values: that costs more than
 * most of our queries. The plus keeps the value but hides it from the planner; limits should be visible to it.
 */
class SqliteCompiler extends SqliteQueryCompiler {
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
 * Runs each query directly on the one connection. The extras of Kysely's own executor (plugins, a pool, a mutex) are
 * unnecessary here: the writer runs one job at a time, and the reader only reads.
 */
class SqliteExecutor extends DefaultQueryExecutor {
  readonly #statements: Statements

  constructor(statements: Statements) {
    super(new SqliteCompiler(), new SqliteAdapter(), noConnections)
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
  createQueryCompiler: () => new SqliteCompiler(),
}

class SqliteConnection<T> extends Kysely<T> implements SqlText {
  readonly #statements: Statements

  constructor(statements: Statements) {
    super({
      config: { dialect },
      dialect,
      driver: dialect.createDriver(),
      executor: new SqliteExecutor(statements),
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

  /** `+?` is explained at SqliteCompiler. */
  #prepared(sql: string): Database.Statement {
    return this.#statements.get(sql, (text) => text.replaceAll('?', '+?'))
  }
}

/** The query interface of one open connection, without transactions of its own. */
export function sqliteConnection<T>(db: Database.Database): Kysely<T> & SqlText {
  return new SqliteConnection<T>(new Statements(db))
}

/** A query interface that reads committed data through the two connections to one file. */
export function readOnlyConnection<T>(
  write: Database.Database,
  read: Database.Database,
): Kysely<T> & SqlText {
  return new SqliteConnection<T>(new CommittedStatements(write, read))
}

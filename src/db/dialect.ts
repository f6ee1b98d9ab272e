import type Database from 'better-sqlite3'
import {
  ColumnNode,
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  ReferenceNode,
  SqliteAdapter,
  SqliteIntrospector,
  SqliteQueryCompiler,
  ValueNode,
  type BinaryOperationNode,
  type CompiledQuery,
  type ConnectionProvider,
  type Dialect,
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

/** What the conditions of partial indexes compare with a constant. A plan takes such an index only where it sees that constant. */
const ofIndexes: Record<string, readonly (string | number)[]> = {
  awaiting: ['none'],
  body_state: ['pending'],
  content_base64: [''],
  destination_state: ['queued', 'waiting'],
  digest: ['off'],
  latest: [1],
  phase: ['planned', 'running'],
  role: ['lead'],
  shared: [1],
  starred: [1],
  state: ['queued', 'resolved'],
  status: ['active', 'open', 'pending', 'queued'],
  text_status: ['pending'],
  unread: [1],
  visibility: ['organization'],
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
    const { leftOperand: left, rightOperand: right } = node
    const isOfIndex =
      ReferenceNode.is(left) &&
      ColumnNode.is(left.column) &&
      ValueNode.is(right) &&
      ofIndexes[left.column.column.name]?.includes(right.value as string)
    super.visitBinaryOperation(
      isOfIndex ? { ...node, rightOperand: ValueNode.createImmediate(right.value) } : node,
    )
  }

  protected override visitLimit(node: LimitNode): void {
    const limit = ValueNode.is(node.limit) ? node.limit.value : undefined
    if (typeof limit === 'number') this.append(`limit ${Math.trunc(limit)}`)
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

/** A Kysely over one open connection, without transactions of its own. */
export function kyselyOver<T>(db: Database.Database): Kysely<T> {
  return new Kysely<T>({
    config: { dialect },
    dialect,
    driver: dialect.createDriver(),
    executor: new Executor(new Statements(db)),
  })
}

import {
  DefaultQueryExecutor,
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  type CompiledQuery,
  type ConnectionProvider,
  type Dialect,
  type QueryResult,
} from 'kysely'
import type pg from 'pg'
import type { SqlText, SqlValue } from '../connection.ts'
import type { Tables } from '../tables.ts'
import { PostgresCompiler } from './compiler.ts'
import { postgresText, postgresValues, preparedName } from './statements.ts'

/** Sends a statement to the appropriate connection. */
export type SendQuery = (query: pg.QueryConfig) => Promise<pg.QueryResult>

const noConnections: ConnectionProvider = {
  provideConnection: () =>
    Promise.reject(
      new Error('Transactions belong to the writer, and streams keep a connection; page instead.'),
    ),
}

const dialect: Dialect = {
  createAdapter: () => new PostgresAdapter(),
  createDriver: () => new DummyDriver(),
  createIntrospector: (db) => new PostgresIntrospector(db),
  createQueryCompiler: () => new PostgresCompiler(),
}

class PostgresExecutor extends DefaultQueryExecutor {
  readonly #send: SendQuery

  constructor(send: SendQuery) {
    super(new PostgresCompiler(), new PostgresAdapter(), noConnections)
    this.#send = send
  }

  override async executeQuery<R>({ sql, parameters }: CompiledQuery): Promise<QueryResult<R>> {
    const { rows, rowCount, command } = await this.#send(toQueryConfig(sql, parameters))
    return command === 'SELECT'
      ? { rows: rows as R[] }
      : { rows: rows as R[], numAffectedRows: BigInt(rowCount ?? 0) }
  }
}

function toQueryConfig(sql: string, values: readonly unknown[]): pg.QueryConfig {
  const text = postgresText(sql)
  const name = preparedName(text)
  return { text, values: postgresValues(values), ...(name !== undefined && { name }) }
}

/** Query builder and SQL text over any function that sends statements. */
export class PostgresConnection extends Kysely<Tables> implements SqlText {
  readonly #send: SendQuery

  constructor(send: SendQuery) {
    super({
      config: { dialect },
      dialect,
      driver: dialect.createDriver(),
      executor: new PostgresExecutor(send),
    })
    this.#send = send
  }

  async one<R>(sql: string, ...values: readonly SqlValue[]): Promise<R | undefined> {
    return (await this.all<R>(sql, ...values))[0]
  }

  async all<R>(sql: string, ...values: readonly SqlValue[]): Promise<R[]> {
    return (await this.#send(toQueryConfig(sql, values))).rows as R[]
  }

  async run(sql: string, ...values: readonly SqlValue[]): Promise<number> {
    return (await this.#send(toQueryConfig(sql, values))).rowCount ?? 0
  }
}

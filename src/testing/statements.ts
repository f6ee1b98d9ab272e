import type { CompiledQuery } from 'kysely'
import type { Connection, SqlValue } from '../db/connection.ts'
import { PostgresCompiler } from '../db/postgres/compiler.ts'

const compiler = new PostgresCompiler()

/** Records each query on a database from now on, in its PostgreSQL form, with its origin in the code. */
export function recordStatements(db: Connection, noted: Map<string, string>): void {
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  const seen = new Set<string>()
  const note = (sql: string, inPostgres: () => string) => {
    if (seen.has(sql)) return
    seen.add(sql)
    const text = inPostgres()
    if (!noted.has(text)) noted.set(text, sender())
  }
  executor.executeQuery = (query) => {
    note(query.sql, () => inPostgres(query))
    return execute(query)
  }
  for (const name of ['one', 'all', 'run'] as const) {
    const original = db[name].bind(db) as (sql: string, ...values: SqlValue[]) => Promise<never>
    db[name] = (sql: string, ...values: SqlValue[]) => {
      note(sql, () => numbered(sql))
      return original(sql, ...values)
    }
  }
}

/** Handwritten SQL is the same for each engine, except for its placeholders. */
function inPostgres({ query, queryId, sql }: CompiledQuery): string {
  if (query.kind !== 'RawNode' || query.parameters.length > 0)
    return compiler.compileQuery(query, queryId).sql
  return numbered(sql)
}

function numbered(sql: string): string {
  let number = 0
  return sql.replaceAll('?', () => `$${++number}`)
}

/** The first stack line of the product below the query builder. */
function sender(): string {
  const lines = (new Error().stack ?? '').split('\n')
  const line = lines.find(
    (text) =>
      /\/src\/(?!testing\/|db\/)/.test(text) &&
      !/node_modules|records\/(resource|prepared)\.ts/.test(text),
  )
  return line?.replace(/^.*\/src\//, 'src/').replace(/:\d+\)?$/, '') ?? ''
}

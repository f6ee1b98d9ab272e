import type { CompiledQuery, Kysely } from 'kysely'
import { PostgresCompiler } from '../db/postgres/compiler.ts'

const compiler = new PostgresCompiler()

/** Notes each query that runs on a database from now on, as PostgreSQL would get it, with where it was sent from. */
export function recordStatements<T>(db: Kysely<T>, noted: Map<string, string>): void {
  const executor = db.getExecutor()
  const execute = executor.executeQuery.bind(executor)
  const seen = new Set<string>()
  executor.executeQuery = (query) => {
    if (!seen.has(query.sql)) {
      seen.add(query.sql)
      const text = inPostgres(query)
      if (!noted.has(text)) noted.set(text, sender())
    }
    return execute(query)
  }
}

/** Text that was written by hand has no form of its own for each engine: only its placeholders are others. */
function inPostgres({ query, queryId, sql }: CompiledQuery): string {
  if (query.kind !== 'RawNode' || query.parameters.length > 0)
    return compiler.compileQuery(query, queryId).sql
  let number = 0
  return sql.replaceAll('?', () => `$${++number}`)
}

/** The first line of the product below the query builder. */
function sender(): string {
  const lines = (new Error().stack ?? '').split('\n')
  const line = lines.find(
    (text) =>
      /\/src\/(?!testing\/|db\/)/.test(text) &&
      !/node_modules|records\/(resource|prepared)\.ts/.test(text),
  )
  return line?.replace(/^.*\/src\//, 'src/').replace(/:\d+\)?$/, '') ?? ''
}

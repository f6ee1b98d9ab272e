import pg from 'pg'

/**
 * Converts a SQLite statement with `?` placeholders for PostgreSQL. Statements compiled by the query builder for
 * PostgreSQL stay unchanged.
 */
export function postgresText(sql: string): string {
  const cached = convertedTexts.get(sql)
  if (cached !== undefined) return cached
  let number = 0
  const text = sql.replace(quotedOrConverted, (token) => {
    if (token === '?') return `$${++number}`
    return /^like$/i.test(token) ? 'ilike' : token
  })
  if (convertedTexts.size >= maxCachedTexts) convertedTexts.clear()
  convertedTexts.set(sql, text)
  return text
}

const maxCachedTexts = 5000
const convertedTexts = new Map<string, string>()
/** Matches quoted text, which stays unchanged, and the tokens to convert. */
const quotedOrConverted = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?|\blike\b/gi

/** Maximum prepared statements per connection: lists of varying length must not fill the server's memory. */
const maxPreparedStatements = 2000
const statementNames = new Map<string, string>()

/** Name of a prepared statement; undefined if it is planned on every run. */
export function preparedName(text: string): string | undefined {
  const cached = statementNames.get(text)
  if (cached !== undefined || statementNames.size >= maxPreparedStatements) return cached
  const name = `s${statementNames.size}`
  statementNames.set(text, name)
  return name
}

const [minBigint, maxBigint] = ['-9223372036854775808', '9223372036854775807']

/** Converts values for PostgreSQL. @throws Error for values that SQLite would not accept either */
export function postgresValues(values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    if (value === -Infinity) return minBigint
    if (value === Infinity) return maxBigint
    if (value === undefined || typeof value === 'boolean')
      throw new TypeError(`A statement got ${String(value)} for a value.`)
    return value
  })
}

const parseNumber = (text: string) => Number(text)
/** Parsers by PostgreSQL type number: BIGINT, NUMERIC and booleans become numbers, as on SQLite. */
const parsers: Record<number, (text: string) => unknown> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: parseNumber,
  1700: parseNumber,
}

export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    parsers[id] ?? pg.types.getTypeParser(id, format as 'text'),
}

import pg from 'pg'

/**
 * A statement as it was written for SQLite, with `?` for its values, as PostgreSQL takes it. What the query builder compiled for
 * PostgreSQL stays as it is.
 */
export function postgresText(sql: string): string {
  const cached = texts.get(sql)
  if (cached !== undefined) return cached
  let number = 0
  const text = sql.replace(quotedOrMeant, (token) => {
    if (token === '?') return `$${++number}`
    return /^like$/i.test(token) ? 'ilike' : token
  })
  if (texts.size >= keptTexts) texts.clear()
  texts.set(sql, text)
  return text
}

const keptTexts = 5000
const texts = new Map<string, string>()
/** Quoted text is left alone. */
const quotedOrMeant = /'(?:[^']|'')*'|"(?:[^"]|"")*"|\?|\blike\b/gi

/** Statements that a connection keeps prepared: those over lists of changing length must not fill the server's memory. */
const keptNames = 2000
const names = new Map<string, string>()

/** The name under which a connection prepares a statement; undefined: it is planned at each run. */
export function preparedName(text: string): string | undefined {
  const cached = names.get(text)
  if (cached !== undefined || names.size >= keptNames) return cached
  const name = `s${names.size}`
  names.set(text, name)
  return name
}

const [minBigint, maxBigint] = ['-9223372036854775808', '9223372036854775807']

/** Values as PostgreSQL takes them. @throws Error for what SQLite would not take either */
export function postgresValues(values: readonly unknown[]): unknown[] {
  return values.map((value) => {
    if (value === -Infinity) return minBigint
    if (value === Infinity) return maxBigint
    if (value === undefined || typeof value === 'boolean')
      throw new TypeError(`A statement got ${String(value)} for a value.`)
    return value
  })
}

const numberOf = (text: string) => Number(text)
/** By the number of the type in PostgreSQL: BIGINT, NUMERIC and truth are numbers, as on SQLite. */
const parsers: Record<number, (text: string) => unknown> = {
  16: (text) => (text === 't' ? 1 : 0),
  20: numberOf,
  1700: numberOf,
}

export const rowTypes: pg.CustomTypesConfig = {
  getTypeParser: (id: number, format?: 'text' | 'binary') =>
    parsers[id] ?? pg.types.getTypeParser(id, format as 'text'),
}

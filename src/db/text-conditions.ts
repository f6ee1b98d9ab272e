import { sql, type Expression, type SqlBool } from 'kysely'
import { isAscii } from '../kernel/text/text.ts'

/**
 * Case-insensitive matching of words in columns. SQLite folds only the 26 ASCII letters, so every other letter in the
 * searched text is folded by a replace() of its capital. The comparison with plain lower() is also
 * included, because unique indexes use it.
 */

/** Whether one of the columns contains the text, case-insensitively; `%` and `_` are literal. */
export function containsText(columns: readonly string[], text: string): Expression<SqlBool> {
  return anyOf(
    columns.flatMap((column) =>
      caseFoldings(column, text).map((fold) => like(fold.column, `%${escapeLike(fold.text)}%`)),
    ),
  )
}

/** Whether a column equals the text, case-insensitively. */
export function equalsText(column: string, text: string): Expression<SqlBool> {
  return anyOf(
    caseFoldings(column, text).map((fold) => sql<SqlBool>`${fold.column} = ${fold.text}`),
  )
}

/** Whether a column begins with the text as a whole word, case-insensitively. */
export function beginsWithWord(column: string, text: string): Expression<SqlBool> {
  return anyOf(
    caseFoldings(column, text).map((fold) => like(fold.column, `${escapeLike(fold.text)} %`)),
  )
}

interface CaseFolding {
  column: Expression<string>
  text: string
}

function caseFoldings(column: string, text: string): CaseFolding[] {
  const plain = {
    column: sql<string>`lower(${sql.ref(column)})`,
    text: text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  }
  const folded = { column: lowerCaseOf(sql.ref(column), text), text: text.toLowerCase() }
  return isAscii(text) ? [plain] : [plain, folded]
}

/** An expression in lower case, for the letters of the text it is compared with. */
export function lowerCaseOf(column: Expression<unknown>, text: string): Expression<string> {
  const lowerText = text.toLowerCase()
  const letters = [...new Set(lowerText)]
    .filter((letter) => letter > '\x7f' && letter.toUpperCase() !== letter)
    .slice(0, 100)
  return letters.reduce<Expression<string>>(
    (inner, letter) => sql`replace(${inner}, ${letter.toUpperCase()}, ${letter})`,
    sql<string>`lower(${column})`,
  )
}

/** Whether one of the conditions holds; false without any. */
export function anyOf(conditions: readonly Expression<SqlBool>[]): Expression<SqlBool> {
  if (conditions.length === 0) return sql<SqlBool>`(1 = 0)`
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/** Escapes the text for LIKE with backslash: `%` and `_` are literal. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Whether an expression matches a LIKE pattern with backslash as its escape. */
export function like(expression: Expression<unknown>, pattern: string): Expression<SqlBool> {
  return sql<SqlBool>`${expression} like ${pattern} escape '\\'`
}

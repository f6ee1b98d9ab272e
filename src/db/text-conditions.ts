import { sql, type Expression, type SqlBool } from 'kysely'
import { isAscii } from '../kernel/text/text.ts'

/**
 * Words found in columns whatever their case. SQLite folds the 26 letters only, so every other letter that the searched
 * text has is folded by a replace() of its capital; what the text does not have need not be folded. Beside it stands
 * what lower() itself makes equal, because that is what unique indexes go by.
 */

/** Whether one of the columns contains the text, in any case; `%` and `_` in it mean themselves. */
export function containsText(columns: readonly string[], text: string): Expression<SqlBool> {
  return anyOf(
    columns.flatMap((column) =>
      folds(column, text).map((fold) => like(fold.column, `%${escapeLike(fold.text)}%`)),
    ),
  )
}

/** Whether a column is the text, in any case. */
export function equalsText(column: string, text: string): Expression<SqlBool> {
  return anyOf(folds(column, text).map((fold) => sql<SqlBool>`${fold.column} = ${fold.text}`))
}

/** Whether a column begins with the text as a whole word, in any case. */
export function beginsWithWord(column: string, text: string): Expression<SqlBool> {
  return anyOf(folds(column, text).map((fold) => like(fold.column, `${escapeLike(fold.text)} %`)))
}

interface Fold {
  column: Expression<string>
  text: string
}

function folds(column: string, text: string): Fold[] {
  const plain = {
    column: sql<string>`lower(${sql.ref(column)})`,
    text: text.replace(/[A-Z]/g, (letter) => letter.toLowerCase()),
  }
  const folded = { column: foldedFor(sql.ref(column), text), text: text.toLowerCase() }
  return isAscii(text) ? [plain] : [plain, folded]
}

/** An expression in lower case, as far as the letters of a text go with which it is compared. */
export function foldedFor(column: Expression<unknown>, text: string): Expression<string> {
  const wanted = text.toLowerCase()
  const letters = [...new Set(wanted)]
    .filter((letter) => letter > '\x7f' && letter.toUpperCase() !== letter)
    .slice(0, 100)
  return letters.reduce<Expression<string>>(
    (inner, letter) => sql`replace(${inner}, ${letter.toUpperCase()}, ${letter})`,
    sql<string>`lower(${column})`,
  )
}

function anyOf(conditions: Expression<SqlBool>[]): Expression<SqlBool> {
  return sql<SqlBool>`(${sql.join(conditions, sql` or `)})`
}

/** The text for a pattern of LIKE, with backslash as its escape: `%` and `_` in it mean themselves. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Whether an expression fits a pattern whose escape is a backslash. */
export function like(expression: Expression<unknown>, pattern: string): Expression<SqlBool> {
  return sql<SqlBool>`${expression} like ${pattern} escape '\\'`
}

import { sql, type Expression, type SqlBool } from 'kysely'

/** The text for a pattern of LIKE, with backslash as its escape: `%` and `_` in it mean themselves. */
export function escapeLike(text: string): string {
  return text.replace(/[\\%_]/g, '\\$&')
}

/** Whether an expression fits a pattern whose escape is a backslash. */
export function like(expression: Expression<unknown>, pattern: string): Expression<SqlBool> {
  return sql<SqlBool>`${expression} like ${pattern} escape '\\'`
}

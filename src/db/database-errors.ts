import { CommitFailure, OutcomeUnknown } from './writer.ts'

/**
 * Cause of a failed statement, on either engine. full: no space is left; unavailable: try again later; unique: a
 * value that must be unique exists already; constraint: any other violation of the schema.
 */
export type DatabaseFailure = 'full' | 'unavailable' | 'unique' | 'constraint'

/** The code of a database that cannot be reached. */
export const unreachableCode = 'DATABASE_UNREACHABLE'
/** The code of a database that another server uses. */
export const databaseInUseCode = 'DATABASE_IN_USE'

/** Meanings by SQLite codes and by PostgreSQL codes (appendix A of its manual). */
const meanings: readonly [RegExp, DatabaseFailure][] = [
  [/^(SQLITE_FULL|53100)$/, 'full'],
  [/^SQLITE_(BUSY|IOERR)/, 'unavailable'],
  [
    /^(DATABASE_UNREACHABLE|DATABASE_IN_USE|53200|53300|55P03|57P0[1-5]|57014|40001|40P01|58030|25006)$/,
    'unavailable',
  ],
  [/^(SQLITE_CONSTRAINT_(UNIQUE|PRIMARYKEY)|23505)$/, 'unique'],
  [/^(SQLITE_CONSTRAINT.*|23[0-9A-Z]{3}|P0001)$/, 'constraint'],
]

/** The meaning of an error or its code; undefined if it is not a database error. */
export function databaseFailure(error: unknown): DatabaseFailure | undefined {
  const code =
    typeof error === 'string' ? error : ((error as { code?: unknown } | null)?.code ?? '')
  return meanings.find(([pattern]) => pattern.test(String(code)))?.[1]
}

/** Whether the commit itself failed or was not confirmed; false if a statement failed. */
export function isCommitFailure(error: unknown): error is CommitFailure {
  return error instanceof CommitFailure
}

/** Whether the transaction may have committed nevertheless. */
export function isOutcomeUnknown(error: unknown): error is OutcomeUnknown {
  return error instanceof OutcomeUnknown
}

/** Whether a constraint of the schema was violated. */
export function isConstraint(error: unknown): boolean {
  const failure = databaseFailure(error)
  return failure === 'unique' || failure === 'constraint'
}

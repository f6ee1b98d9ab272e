import pg from 'pg'
import { unreachableCode } from '../database-errors.ts'

/** Thrown where the database cannot be reached, or is one that a workspace cannot be kept in. */
export class DatabaseUnusable extends Error {
  readonly code: string = unreachableCode
}

/** The error of a statement, as DatabaseUnusable where the server did not answer it. */
export function asUnusable(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || !isConnectionTrouble(error)) return error
  return new DatabaseUnusable(`The database cannot be reached: ${(error as Error).message}.`, {
    cause: error,
  })
}

/** Whether a database cannot be reached yet: nothing answers there, or PostgreSQL is starting or ending. */
export function isAway(error: unknown): boolean {
  const { code = '', cause } = error as { code?: string; cause?: unknown }
  return (
    /^57P0[1-3]$/.test(code) || isConnectionTrouble(error) || (cause !== undefined && isAway(cause))
  )
}

/** Whether a statement failed because its connection was gone before it could be sent. */
export function wasNotSent(error: unknown): boolean {
  return / is not queryable$/.test((error as Error).message)
}

function isConnectionTrouble(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(code) ||
    /^(Connection terminated|timeout exceeded|timeout expired)/.test(message) ||
    wasNotSent(error)
  )
}

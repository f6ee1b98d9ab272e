import pg from 'pg'
import { unreachableCode } from '../database-errors.ts'

/** Thrown if the database is unreachable or unsuitable for a workspace. */
export class DatabaseUnusable extends Error {
  readonly code: string = unreachableCode
}

/** Converts a statement's error to DatabaseUnusable if the server did not answer. */
export function toDatabaseUnusable(error: unknown): unknown {
  if (error instanceof pg.DatabaseError || !isConnectionFailure(error)) return error
  return new DatabaseUnusable(`The database cannot be reached: ${(error as Error).message}.`, {
    cause: error,
  })
}

/** Whether a database is temporarily unreachable: nothing answers, or PostgreSQL is starting or stopping. */
export function isTemporarilyUnreachable(error: unknown): boolean {
  const { code = '', cause } = error as { code?: string; cause?: unknown }
  return (
    /^57P0[1-3]$/.test(code) ||
    isConnectionFailure(error) ||
    (cause !== undefined && isTemporarilyUnreachable(cause))
  )
}

/** Whether a statement failed because its connection was gone before it could be sent. */
export function wasNotSent(error: unknown): boolean {
  return / is not queryable$/.test((error as Error).message)
}

function isConnectionFailure(error: unknown): boolean {
  const { code = '', message = '' } = error as { code?: string; message?: string }
  return (
    /^(ECONN|EPIPE|ETIMEDOUT|EHOST|ENET|ENOTFOUND|EAI_)/.test(code) ||
    /^(Connection terminated|timeout exceeded|timeout expired)/.test(message) ||
    wasNotSent(error)
  )
}

import type pg from 'pg'
import { databaseInUseCode } from '../database-errors.ts'
import { connected, takesServerLock } from '../postgres/client.ts'
import { DatabaseUnusable } from '../postgres/unreachable.ts'

class ServedDatabase extends DatabaseUnusable {
  override readonly code = databaseInUseCode
}

/**
 * A connection to a database that no server uses, in a transaction that shows one state of it and keeps others from writing until the
 * connection ends.
 * @throws DatabaseUnusable
 */
export async function lockedForMove(url: string): Promise<pg.Client> {
  const client = await connected(url)
  try {
    if (!(await takesServerLock(client)))
      throw new ServedDatabase('A `workspace serve` is using this database. Stop it first.')
    await client.query(
      'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT commits FROM writer_lock FOR UPDATE',
    )
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

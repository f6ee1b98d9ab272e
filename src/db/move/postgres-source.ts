import type pg from 'pg'
import { connected, DatabaseInUse, takesServerLock } from '../postgres/client.ts'
import { withoutTimeouts } from './postgres.ts'

/**
 * A connection to a database without a server, in a transaction that has one snapshot and blocks other writers until
 * the connection ends.
 * @throws DatabaseUnusable
 */
export async function lockedForMove(url: string): Promise<pg.Client> {
  const client = await connected(url)
  try {
    if (!(await takesServerLock(client)))
      throw new DatabaseInUse('A `workspace serve` is using this database. Stop it first.')
    await client.query(
      `${withoutTimeouts}; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT commits FROM writer_lock FOR UPDATE`,
    )
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

import type pg from 'pg'
import { connectPostgres, DatabaseInUse, takeServerLock } from '../postgres/client.ts'
import { disableTimeouts } from './postgres.ts'

/**
 * Connects to a database that no server uses, in a transaction that has one snapshot and blocks other writers until
 * the connection ends.
 * @throws DatabaseUnusable
 */
export async function connectLocked(url: string): Promise<pg.Client> {
  const client = await connectPostgres(url)
  try {
    if (!(await takeServerLock(client)))
      throw new DatabaseInUse('A `workspace serve` is using this database. Stop it first.')
    await client.query(
      `${disableTimeouts}; BEGIN ISOLATION LEVEL REPEATABLE READ; SELECT commits FROM writer_lock FOR UPDATE`,
    )
    return client
  } catch (error) {
    await client.end()
    throw error
  }
}

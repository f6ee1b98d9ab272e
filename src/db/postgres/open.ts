import pg from 'pg'
import type { SqlText } from '../connection.ts'
import { keepBeside, type IndexColumns } from '../index-file.ts'
import { migrations } from '../migrate.ts'
import type { ProcessRole, Store } from '../open.ts'
import {
  backendOf,
  checkDatabase,
  connected,
  DatabaseInUse,
  endBackends,
  sessionOptions,
  settingsOf,
  takesServerLock,
  type Backend,
} from './client.ts'
import { PostgresConnection, type Send } from './connection.ts'
import { migratePostgres } from './migrate.ts'
import { SearchFile } from './search-file.ts'
import { asUnusable } from './unreachable.ts'
import { PostgresWriter } from './writer.ts'

/** Number of reading connections. */
const readers = 8
export interface PostgresPlace {
  url: string
  /** For the search index, a file of each server. */
  dataDir: string
  role: ProcessRole
  indexColumns: IndexColumns
}

/**
 * Opens a workspace in a PostgreSQL database, creating it on the first start.
 * @throws DatabaseUnusable, NewerSchema; for a command also NoDatabase, OlderSchema
 */
export async function openPostgres(place: PostgresPlace): Promise<Store> {
  const { applied, databaseId } = await prepared(place)
  const writer = await openedWriter(place)
  const pool = new pg.Pool({
    ...settingsOf(place.url),
    options: `${sessionOptions} -c default_transaction_read_only=on`,
    max: readers,
  })
  pool.on('error', () => {}) // of a connection that rests; the next statement opens another, or fails itself
  const read = connectionOn((query) => pool.query(query))
  const write = connectionOn((query) => writer.send(query))
  const committed = connectionOn((query) =>
    writer.isInJob ? writer.send(query) : pool.query(query),
  )
  const index = new SearchFile({ ...place, databaseId, source: read })
  keepBeside(read, index)
  keepBeside(write, index)
  let isOpen = true
  return {
    path: index.path,
    writer,
    write,
    read,
    committed,
    index,
    applied,
    get raw(): Store['raw'] {
      throw new Error('This workspace is on PostgreSQL: it has no connections of SQLite.')
    },
    get isOpen() {
      return isOpen
    },
    commitMark: () => commitsOf(read),
    async close() {
      isOpen = false
      await writer.close()
      await index.close()
      await pool.end()
    },
  }
}

/** Checks the database and upgrades it to the newest schema. */
async function prepared({
  url,
  role,
}: PostgresPlace): Promise<{ applied: string[]; databaseId: string }> {
  const client = await connected(url)
  try {
    await checkDatabase(client)
    const applied = await migratePostgres(client, role, migrations())
    const { rows } = await client.query<{ database_id: string }>(
      'SELECT database_id FROM schema_version',
    )
    return { applied, databaseId: rows[0]?.database_id ?? '' }
  } finally {
    await client.end()
  }
}

/**
 * Opens a server's connection now, so that another server on the same database is noticed before it listens. @throws
 * DatabaseUnusable
 */
async function openedWriter({ url, role }: PostgresPlace): Promise<PostgresWriter> {
  if (role !== 'server') return new PostgresWriter(() => connected(url))
  const writer = new PostgresWriter(serverConnections(url))
  try {
    await writer.append(async () => {})
    return writer
  } catch (error) {
    await writer.close()
    throw (error as Error).cause ?? error
  }
}

async function commitsOf(read: SqlText): Promise<number> {
  const row = await read.one<{ commits: number }>('SELECT commits FROM writer_lock')
  return row?.commits ?? 0
}

/**
 * Opens a server's writing connections, one after another. Each holds the server lock for its lifetime. PostgreSQL
 * may keep the backend of a broken connection, and with it the lock, so the next connection ends the backends of its
 * predecessors before it concludes that another server has the lock. The returned function throws DatabaseUnusable,
 * and DatabaseInUse if another server has the lock.
 */
function serverConnections(url: string): () => Promise<pg.Client> {
  const earlier: Backend[] = []
  return async () => {
    const client = await connected(url)
    try {
      const others = [...earlier]
      earlier.push(await backendOf(client)) // before the lock: the answer to that may be lost
      const isLocked =
        (await takesServerLock(client)) ||
        (await endBackends(client, others).then(() => takesServerLock(client)))
      if (isLocked) {
        earlier.splice(0, others.length)
        return client
      }
    } catch (error) {
      client.end().catch(() => {})
      throw error
    }
    await client.end()
    throw new DatabaseInUse(
      'Another `workspace serve` is using this database. Stop it first, or let this one wait for its end with --standby.',
    )
  }
}

/** Whether no server uses the database now. @throws DatabaseUnusable if unreachable */
export async function isWithoutServer(url: string): Promise<boolean> {
  const client = await connected(url)
  try {
    return await takesServerLock(client)
  } finally {
    await client.end() // which gives the lock back
  }
}

/** A failed statement without an answer from the server means that the server is unreachable. */
function connectionOn(send: Send): PostgresConnection {
  return new PostgresConnection(async (query) => {
    try {
      return await send(query)
    } catch (error) {
      throw asUnusable(error)
    }
  })
}

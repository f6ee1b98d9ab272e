import pg from 'pg'
import type { SqlText } from '../connection.ts'
import { registerIndexFile, type IndexColumns } from '../index-file.ts'
import { migrations } from '../migrate.ts'
import type { ProcessRole, Store } from '../open.ts'
import {
  backendOf,
  checkDatabase,
  connectPostgres,
  DatabaseInUse,
  endBackends,
  sessionOptions,
  clientConfig,
  takeServerLock,
  type Backend,
} from './client.ts'
import { PostgresConnection, type SendQuery } from './connection.ts'
import { migratePostgres } from './migrate.ts'
import { SearchFile } from './search-file.ts'
import { toDatabaseUnusable } from './unreachable.ts'
import { PostgresWriter } from './writer.ts'

/** Number of reading connections. */
const readConnections = 8
export interface PostgresOptions {
  url: string
  /** Folder of the search index: each server has its own file. */
  dataDir: string
  role: ProcessRole
  indexColumns: IndexColumns
}

/**
 * Opens a workspace in a PostgreSQL database, creating it on the first start.
 * @throws DatabaseUnusable, NewerSchema; for a command also NoDatabase, OlderSchema
 */
export async function openPostgres(place: PostgresOptions): Promise<Store> {
  const { applied, databaseId } = await prepareDatabase(place)
  const writer = await openWriter(place)
  const pool = new pg.Pool({
    ...clientConfig(place.url),
    options: `${sessionOptions} -c default_transaction_read_only=on`,
    max: readConnections,
  })
  pool.on('error', () => {}) // an idle connection broke; the next statement opens another, or fails itself
  const read = connectionOver((query) => pool.query(query))
  const write = connectionOver((query) => writer.send(query))
  const committed = connectionOver((query) =>
    writer.isInJob ? writer.send(query) : pool.query(query),
  )
  const index = new SearchFile({ ...place, databaseId, source: read })
  registerIndexFile(read, index)
  registerIndexFile(write, index)
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
    commitMark: () => readCommitCount(read),
    async close() {
      isOpen = false
      await writer.close()
      await index.close()
      await pool.end()
    },
  }
}

/** Checks the database and upgrades it to the newest schema. */
async function prepareDatabase({
  url,
  role,
}: PostgresOptions): Promise<{ applied: string[]; databaseId: string }> {
  const client = await connectPostgres(url)
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
 * Opens a server's connection now, so that another server on the same database is detected before this one listens. @throws
 * DatabaseUnusable
 */
async function openWriter({ url, role }: PostgresOptions): Promise<PostgresWriter> {
  if (role !== 'server') return new PostgresWriter(() => connectPostgres(url))
  const writer = new PostgresWriter(serverConnections(url))
  try {
    await writer.append(async () => {})
    return writer
  } catch (error) {
    await writer.close()
    throw (error as Error).cause ?? error
  }
}

async function readCommitCount(read: SqlText): Promise<number> {
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
  const earlierBackends: Backend[] = []
  return async () => {
    const client = await connectPostgres(url)
    try {
      const predecessors = [...earlierBackends]
      earlierBackends.push(await backendOf(client)) // before taking the lock, since the reply to that may be lost
      const isLocked =
        (await takeServerLock(client)) ||
        (await endBackends(client, predecessors).then(() => takeServerLock(client)))
      if (isLocked) {
        earlierBackends.splice(0, predecessors.length)
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
export async function hasNoServer(url: string): Promise<boolean> {
  const client = await connectPostgres(url)
  try {
    return await takeServerLock(client)
  } finally {
    await client.end() // releases the lock
  }
}

/** A failed statement without an answer from the server means that the server is unreachable. */
function connectionOver(send: SendQuery): PostgresConnection {
  return new PostgresConnection(async (query) => {
    try {
      return await send(query)
    } catch (error) {
      throw toDatabaseUnusable(error)
    }
  })
}

import pg from 'pg'
import type { SqlText } from '../connection.ts'
import { databaseInUseCode } from '../database-errors.ts'
import { keepBeside } from '../index-file.ts'
import { migrations } from '../migrate.ts'
import type { ProcessRole, Store } from '../open.ts'
import { PostgresConnection, type Send } from './connection.ts'
import { migratePostgres } from './migrate.ts'
import { SearchFile } from './search-file.ts'
import { rowTypes } from './statements.ts'
import { asUnusable, DatabaseUnusable } from './unreachable.ts'
import { PostgresWriter } from './writer.ts'

/** Connections that read. */
const readers = 8
/** How long a statement may run, wait for a lock, or leave a transaction idle, in milliseconds. */
const [statementTimeoutMs, lockTimeoutMs, idleTimeoutMs] = [60_000, 10_000, 15_000]
const connectTimeoutMs = 10_000
/** A server whose machine is gone must not keep the lock: after these seconds without an answer to its probes the database drops its connection. */
const keepalive = { idle: 10, interval: 5, count: 3 }

/** The number of the lock that a server holds, so that there is one; see schemaLock. */
const serverLock = 7261502

/** Thrown to a server where another one uses the database. */
class DatabaseInUse extends DatabaseUnusable {
  override readonly code = databaseInUseCode
}

/** What is needed to open a workspace on PostgreSQL. */
export interface PostgresPlace {
  url: string
  /** For the search index, which is a file beside each server. */
  dataDir: string
  role: ProcessRole
  aclOf: (type: string, container: string) => string
}

/**
 * Opens (and on the first start makes) a workspace in a PostgreSQL database.
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

/** Checks the database and brings it to the newest schema. */
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

/** A server opens its connection now: another one on the same database is to be noticed before it listens. @throws DatabaseUnusable */
async function openedWriter({ url, role }: PostgresPlace): Promise<PostgresWriter> {
  const writer = new PostgresWriter(() => writingConnection(url, role))
  if (role !== 'server') return writer
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

const sessionOptions = [
  `statement_timeout=${statementTimeoutMs}`,
  `lock_timeout=${lockTimeoutMs}`,
  `idle_in_transaction_session_timeout=${idleTimeoutMs}`,
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  `tcp_keepalives_idle=${keepalive.idle}`,
  `tcp_keepalives_interval=${keepalive.interval}`,
  `tcp_keepalives_count=${keepalive.count}`,
  'timezone=UTC',
  'client_min_messages=warning',
]
  .map((option) => `-c ${option}`)
  .join(' ')

function settingsOf(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    options: sessionOptions,
    application_name: 'workspace',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: rowTypes,
  }
}

/** @throws DatabaseUnusable */
async function connected(url: string): Promise<pg.Client> {
  const client = new pg.Client(settingsOf(url))
  client.on('error', () => {}) // the statement under way fails, and so does the next one
  try {
    await client.connect()
    return client
  } catch (error) {
    client.end().catch(() => {})
    const { host, port } = new URL(url)
    throw new DatabaseUnusable(
      `The database at ${host || `port ${port}`} cannot be used: ${(error as Error).message || (error as { code?: string }).code}.`,
      { cause: error },
    )
  }
}

/** A server keeps a lock as long as its connection lasts; where it was cut, the next one takes it again. @throws DatabaseUnusable where another has it */
async function writingConnection(url: string, role: ProcessRole): Promise<pg.Client> {
  const client = await connected(url)
  if (role !== 'server') return client
  if (await takesServerLock(client)) return client
  await client.end()
  throw new DatabaseInUse(
    'Another `workspace serve` is using this database. Stop it first, or let this one wait for its end with --standby.',
  )
}

async function takesServerLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ mine: number }>(
    `SELECT pg_try_advisory_lock(${serverLock}) AS mine`,
  )
  return rows[0]?.mine === 1
}

/** Whether no server uses the database at this moment. @throws DatabaseUnusable where it cannot be reached */
export async function isWithoutServer(url: string): Promise<boolean> {
  const client = await connected(url)
  try {
    return await takesServerLock(client)
  } finally {
    await client.end() // which gives the lock back
  }
}

/** Whether texts sort and compare as on SQLite. @throws DatabaseUnusable */
async function checkDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{ encoding: string; collation: string; version: number }>(
    "SELECT pg_encoding_to_char(encoding) AS encoding, datcollate AS collation, current_setting('server_version_num')::int AS version FROM pg_database WHERE datname = current_database()",
  )
  const { encoding = '', collation = '', version = 0 } = rows[0] ?? {}
  if (version < 150_000) throw new DatabaseUnusable('PostgreSQL 15 or newer is needed.')
  if (encoding !== 'UTF8' || !/^(C|POSIX)$/.test(collation))
    throw new DatabaseUnusable(
      `The database has the encoding ${encoding} and the collation ${collation}. Make one that sorts and compares by code points: CREATE DATABASE workspace TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'.`,
    )
}

/** Statements whose failure is not the server's answer have found no server. */
function connectionOn(send: Send): PostgresConnection {
  return new PostgresConnection(async (query) => {
    try {
      return await send(query)
    } catch (error) {
      throw asUnusable(error)
    }
  })
}

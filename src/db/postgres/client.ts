import pg from 'pg'
import { databaseInUseCode } from '../database-errors.ts'
import { rowTypes } from './statements.ts'
import { DatabaseUnusable } from './unreachable.ts'

/** Maximum milliseconds for a statement, for waiting on a lock, and for an idle transaction. */
const [statementTimeoutMs, lockTimeoutMs, idleTimeoutMs] = [60_000, 10_000, 15_000]
const connectTimeoutMs = 10_000
/**
 * A server whose machine has failed must not keep the lock: the database drops its connection after these seconds
 * without answers to its probes.
 */
const tcpKeepalive = { idle: 10, interval: 5, count: 3 }

/** Number of the lock that ensures a single server; see schemaLock. */
const serverLock = 7261502

/** Session options of a connection. */
export const sessionOptions = [
  `statement_timeout=${statementTimeoutMs}`,
  `lock_timeout=${lockTimeoutMs}`,
  `idle_in_transaction_session_timeout=${idleTimeoutMs}`,
  'plan_cache_mode=force_generic_plan',
  'jit=off',
  `tcp_keepalives_idle=${tcpKeepalive.idle}`,
  `tcp_keepalives_interval=${tcpKeepalive.interval}`,
  `tcp_keepalives_count=${tcpKeepalive.count}`,
  'timezone=UTC',
  'client_min_messages=warning',
]
  .map((option) => `-c ${option}`)
  .join(' ')

export function clientConfig(url: string): pg.ClientConfig {
  return {
    connectionString: url,
    options: sessionOptions,
    application_name: 'workspace',
    connectionTimeoutMillis: connectTimeoutMs,
    keepAlive: true,
    types: rowTypes,
  }
}

/** A new connection. @throws DatabaseUnusable */
export async function connectPostgres(url: string): Promise<pg.Client> {
  const client = new pg.Client(clientConfig(url))
  client.on('error', () => {}) // the running statement fails by itself, and so does the next one
  try {
    await client.connect()
    return client
  } catch (error) {
    client.end().catch(() => {})
    const { message, code } = error as { message?: string; code?: string }
    const reason = isRefusedByPooler(message) ? poolerHint : `${message || code}.`
    throw new DatabaseUnusable(`The database at ${client.host} cannot be used: ${reason}`, {
      cause: error,
    })
  }
}

const poolerHint =
  'a connection pooler such as PgBouncer answers there. Connect to PostgreSQL directly: the settings, locks and prepared statements of a server belong to its own connections.'

/** PgBouncer accepts no settings from a client, and names the refused parameter. */
function isRefusedByPooler(message = ''): boolean {
  return /unsupported startup parameter/i.test(message)
}

/** Thrown if a server uses the database. */
export class DatabaseInUse extends DatabaseUnusable {
  override readonly code = databaseInUseCode
}

/** Takes the server lock for the lifetime of the connection; false if another one holds it. */
export async function takeServerLock(client: pg.Client): Promise<boolean> {
  const { rows } = await client.query<{ mine: number }>(
    `SELECT pg_try_advisory_lock(${serverLock}) AS mine`,
  )
  return rows[0]?.mine === 1
}

/** The process of PostgreSQL that serves a connection. */
export interface Backend {
  pid: number
  /** Distinguishes it from a later process with the same number. */
  startedAt: string
}

export async function backendOf(client: pg.Client): Promise<Backend> {
  const { rows } = await client.query<Backend>(
    'SELECT pid, backend_start::text AS "startedAt" FROM pg_stat_activity WHERE pid = pg_backend_pid()',
  )
  const [backend] = rows
  if (!backend) throw new DatabaseUnusable('The database does not show its own processes.')
  return backend
}

/**
 * Ends the backends of other connections if they still run, and waits up to five seconds for each, after which their
 * locks are free.
 */
export async function endBackends(client: pg.Client, backends: readonly Backend[]): Promise<void> {
  for (const { pid, startedAt } of backends)
    await client.query(
      'SELECT pg_terminate_backend(pid, 5000) FROM pg_stat_activity WHERE pid = $1 AND backend_start::text = $2',
      [pid, startedAt],
    )
}

/** Checks that texts sort and compare like on SQLite. @throws DatabaseUnusable */
export async function checkDatabase(client: pg.Client): Promise<void> {
  const { rows } = await client.query<{
    encoding: string
    collation: string
    version: number
    plan: string
  }>(
    "SELECT pg_encoding_to_char(encoding) AS encoding, datcollate AS collation, current_setting('server_version_num')::int AS version, current_setting('plan_cache_mode') AS plan FROM pg_database WHERE datname = current_database()",
  )
  const { encoding = '', collation = '', version = 0, plan = '' } = rows[0] ?? {}
  // A pooler that drops client settings (ignore_startup_parameters) also shares the connection with others.
  if (plan !== 'force_generic_plan')
    throw new DatabaseUnusable(`The database ignores the settings of the connection: ${poolerHint}`)
  if (version < 150_000) throw new DatabaseUnusable('PostgreSQL 15 or newer is needed.')
  if (encoding !== 'UTF8' || !/^(C|POSIX)$/.test(collation))
    throw new DatabaseUnusable(
      `The database has the encoding ${encoding} and the collation ${collation}. Make one that sorts and compares by code points: CREATE DATABASE workspace TEMPLATE template0 ENCODING 'UTF8' LOCALE 'C'.`,
    )
}

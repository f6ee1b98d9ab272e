import type { SqlText } from '../../db/connection.ts'
import { newestVersion } from '../../db/migrate.ts'
import { movedTables } from '../../db/move/tables.ts'
import { postgresSchema } from '../../db/postgres/schema.ts'
import { DoctorFindings, shortenNames, type DoctorFinding } from './finding.ts'
import { quantity } from '../../kernel/text/quantity.ts'

/** Age from which an open transaction keeps the database from cleaning up, in milliseconds. */
const longTransactionMs = 60 * 60 * 1000
const repair = 'restore a backup of the database'

/** Checks whether a PostgreSQL database has this program's complete schema, and no damage in its statistics. */
export async function checkPostgres(read: SqlText): Promise<DoctorFinding[]> {
  const findings = new DoctorFindings('database')
  await checkServer(read, findings)
  await checkPages(read, findings)
  await checkColumns(read, findings)
  await checkTriggers(read, findings)
  await checkIndexes(read, findings)
  await checkTransactions(read, findings)
  return findings.all
}

async function checkServer(read: SqlText, findings: DoctorFindings): Promise<void> {
  const rows = await read.all<{ version: string; bytes: number }>(
    "SELECT current_setting('server_version') AS version, pg_database_size(current_database()) AS bytes",
  )
  for (const { version, bytes } of rows)
    findings.ok(`PostgreSQL ${version}, ${Math.ceil(bytes / 10 ** 6)} MB.`)
}

/** Reports damaged pages that PostgreSQL has detected, which it does only if checksums are enabled. */
async function checkPages(read: SqlText, doctorFindings: DoctorFindings): Promise<void> {
  const row = await read.one<{ checksums: string; failures: number | null }>(
    "SELECT current_setting('data_checksums') AS checksums, checksum_failures AS failures FROM pg_stat_database WHERE datname = current_database()",
  )
  const { checksums, failures } = row ?? { checksums: 'off', failures: null }
  if (failures)
    doctorFindings.damaged(`PostgreSQL read ${quantity(failures, 'damaged page')}.`, repair)
  else if (checksums === 'on') doctorFindings.ok('No page that was read is damaged.')
  else
    doctorFindings.warn(
      'PostgreSQL does not notice damaged pages: its data checksums are off.',
      'pg_checksums --enable, while PostgreSQL is stopped',
    )
}

async function checkColumns(read: SqlText, findings: DoctorFindings): Promise<void> {
  const rows = await read.all<{ name: string; type: string }>(
    "SELECT table_name || '.' || column_name AS name, data_type AS type FROM information_schema.columns WHERE table_schema = current_schema()",
  )
  const types: Record<string, string> = {
    text: 'text',
    bigint: 'integer',
    'double precision': 'real',
  }
  const actualTypes = new Map(rows.map(({ name, type }) => [name, types[type] ?? type]))
  const differing = movedTables()
    .flatMap((table) =>
      table.columns.map(({ name, type }) => ({ name: `${table.name}.${name}`, type })),
    )
    .filter(({ name, type }) => actualTypes.get(name) !== type)
    .map(({ name }) => name)
  if (differing.length === 0)
    findings.ok(`All columns of schema version ${newestVersion()} are there.`)
  else findings.fail(`The schema was changed by hand: ${shortenNames(differing)}.`, repair)
}

/** Triggers protect the call log, among other things; a superuser can disable them. */
async function checkTriggers(read: SqlText, doctorFindings: DoctorFindings): Promise<void> {
  const rows = await read.all<{ name: string }>(
    "SELECT t.tgname AS name FROM pg_trigger t JOIN pg_class c ON c.oid = t.tgrelid WHERE c.relnamespace = current_schema()::regnamespace AND NOT t.tgisinternal AND t.tgenabled IN ('O', 'A')",
  )
  const enabled = new Set(rows.map(({ name }) => name))
  const missing = postgresNames(/CREATE TRIGGER (\w+)/g).filter((name) => !enabled.has(name))
  const unchecked = await read.all<{ name: string }>(
    "SELECT c.conname AS name FROM pg_constraint c WHERE c.connamespace = current_schema()::regnamespace AND (NOT c.convalidated OR EXISTS (SELECT 1 FROM pg_trigger t WHERE t.tgconstraint = c.oid AND t.tgenabled = 'D'))",
  )
  if (missing.length > 0)
    doctorFindings.fail(
      `These triggers are missing or off: ${shortenNames(missing)}. Rows can be changed that must stay, such as those of the call log.`,
      'ALTER TABLE … ENABLE TRIGGER …, then workspace audit verify',
    )
  if (unchecked.length > 0)
    doctorFindings.fail(
      `These constraints are not checked: ${shortenNames(unchecked.map(({ name }) => name))}. Rows may refer to missing rows.`,
      'ALTER TABLE … ENABLE TRIGGER ALL, and ALTER TABLE … VALIDATE CONSTRAINT …',
    )
  if (missing.length === 0 && unchecked.length === 0)
    doctorFindings.ok('All triggers and constraints are in force.')
}

async function checkIndexes(read: SqlText, findings: DoctorFindings): Promise<void> {
  const rows = await read.all<{ name: string; valid: number }>(
    'SELECT c.relname AS name, i.indisvalid AS valid FROM pg_index i JOIN pg_class c ON c.oid = i.indexrelid WHERE c.relnamespace = current_schema()::regnamespace',
  )
  const valid = new Set(rows.filter((row) => row.valid).map(({ name }) => name))
  const unusable = postgresNames(/CREATE (?:UNIQUE )?INDEX (\w+)/g).filter(
    (name) => !valid.has(name),
  )
  if (unusable.length === 0) findings.ok('All indexes are there.')
  else
    findings.fail(
      `These indexes are missing or cannot be used: ${shortenNames(unusable)}. Calls take longer, or accept what is there already.`,
      'REINDEX INDEX CONCURRENTLY …, or restore a backup of the database',
    )
}

/** Reports a transaction that was left open. Others' transactions are visible only as far as the role may see them. */
async function checkTransactions(read: SqlText, doctorFindings: DoctorFindings): Promise<void> {
  const row = await read.one<{ longest: number | null }>(
    'SELECT extract(epoch FROM max(now() - xact_start)) * 1000 AS longest FROM pg_stat_activity WHERE datname = current_database() AND pid <> pg_backend_pid()',
  )
  const openMs = row?.longest ?? 0
  if (openMs > longTransactionMs)
    doctorFindings.warn(
      `A transaction has been open for ${quantity(Math.floor(openMs / longTransactionMs), 'hour')}: the database grows, and cannot clean up.`,
      'end what holds it: SELECT pid, application_name, xact_start FROM pg_stat_activity',
    )
}

const postgresNames = (pattern: RegExp): string[] =>
  [...postgresSchema().matchAll(pattern)].flatMap(([, name]) => name ?? [])

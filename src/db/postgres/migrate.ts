import type pg from 'pg'
import { NewerSchema, newestVersion, versionOf, type Migration } from '../migrate.ts'
import { NoDatabase, OlderSchema, type ProcessRole } from '../open.ts'
import { withBigints, postgresSchema } from './schema.ts'

/**
 * Held while the schema is read and changed, so that only one of several processes does it. The number is arbitrary
 * but the same for all.
 */
const schemaLock = 7261501

/**
 * Upgrades a database to the newest schema, all steps in one transaction; an empty one gets schema.sql. A command
 * does not upgrade, and creates the schema only when it starts a workspace.
 * @returns the names of the steps applied
 * @throws NewerSchema; for a command also NoDatabase, OlderSchema
 */
export async function migratePostgres(
  client: pg.Client,
  role: ProcessRole,
  steps: readonly Migration[],
): Promise<string[]> {
  await client.query(`BEGIN; SELECT pg_advisory_xact_lock(${schemaLock})`)
  try {
    const applied = await migrateLocked(client, role, steps)
    await client.query('COMMIT')
    return applied
  } catch (error) {
    await client.query('ROLLBACK')
    throw error
  }
}

async function migrateLocked(
  client: pg.Client,
  role: ProcessRole,
  steps: readonly Migration[],
): Promise<string[]> {
  const currentVersion = await readSchemaVersion(client)
  const newest = newestVersion(steps)
  if (currentVersion === undefined) {
    if (role === 'command')
      throw new NoDatabase(
        'There is no workspace in this database. Start `workspace serve` with it first.',
      )
    await createSchema(client, newest)
    return ['schema.sql']
  }
  if (currentVersion > newest)
    throw new NewerSchema(
      `The database has schema version ${currentVersion}, this program knows ${newest}. Start the newer version of workspace, or restore a backup.`,
    )
  const due = steps.filter((step) => versionOf(step) > currentVersion)
  if (due.length > 0 && role !== 'server')
    throw new OlderSchema(
      'The database has an older version. Start `workspace serve` once to upgrade it.',
    )
  for (const step of due) await client.query(withBigints(step.sql))
  if (due.length > 0) await client.query('UPDATE schema_version SET version = $1', [newest])
  return due.map((step) => step.name)
}

/** Creates the schema of an empty database in the caller's transaction. @throws NoDatabase if there are tables */
export async function createSchemaInEmpty(client: pg.Client): Promise<void> {
  await client.query(`SELECT pg_advisory_xact_lock(${schemaLock})`)
  if ((await readSchemaVersion(client)) !== undefined)
    throw new NoDatabase('The database already has a workspace. Name an empty database.')
  await createSchema(client, newestVersion())
}

async function createSchema(client: pg.Client, version: number): Promise<void> {
  await client.query(postgresSchema())
  await client.query('INSERT INTO schema_version (version) VALUES ($1)', [version])
}

/** The schema version; undefined if there is none. @throws NoDatabase if the tables are not those of a workspace */
async function readSchemaVersion(client: pg.Client): Promise<number | undefined> {
  const { rows: tables } = await client.query<{ name: string }>(
    "SELECT table_name AS name FROM information_schema.tables WHERE table_schema = current_schema() AND table_type = 'BASE TABLE'",
  )
  if (tables.length === 0) return undefined
  if (!tables.some(({ name }) => name === 'schema_version'))
    throw new NoDatabase(
      'The database has tables that are not of a workspace. Name an empty database.',
    )
  const { rows } = await client.query<{ version: number }>('SELECT version FROM schema_version')
  return Number(rows[0]?.version)
}

import { createHash, randomBytes } from 'node:crypto'
import { writeFileSync } from 'node:fs'
import Database from 'better-sqlite3'
import pg from 'pg'
import { migrate, newestVersion } from '../db/migrate.ts'
import { databasePath } from '../db/open.ts'
import { postgresSchema } from '../db/postgres/schema.ts'
import { markIntact } from '../db/whole.ts'

/** The PostgreSQL server for test workspaces, without a database name; undefined: they use SQLite files. */
const server = process.env.WORKSPACE_TEST_DATABASE
delete process.env.WORKSPACE_TEST_DATABASE // the program would call it a setting that it does not know

let emptyFile: Buffer | undefined
let template: Promise<string> | undefined

/**
 * An empty initialized database, copied from a template that is created once per process: initializing takes as long
 * as many tests.
 * @returns the value for the setting `database`, and how to remove it
 */
export async function layEmptyDatabase(
  dataDir: string,
): Promise<{ database: string; remove: () => Promise<void> }> {
  if (server !== undefined) return layInPostgres(server)
  if (!emptyFile) {
    const db = new Database(':memory:')
    migrate(db)
    emptyFile = db.serialize()
    db.close()
  }
  writeFileSync(databasePath(dataDir), emptyFile, { mode: 0o600 })
  markIntact(databasePath(dataDir))
  return { database: '', remove: async () => {} }
}

async function layInPostgres(url: string) {
  template ??= makeTemplate(url)
  const from = await template
  const name = `test_${randomBytes(6).toString('hex')}`
  await inServer(url, `CREATE DATABASE ${name} TEMPLATE ${from}`)
  return {
    database: `${url}/${name}`,
    remove: () => inServer(url, `DROP DATABASE ${name} WITH (FORCE)`),
  }
}

/** The template shared by all processes that test the same schema; the first one creates it, and the others wait. */
async function makeTemplate(url: string): Promise<string> {
  const schema = postgresSchema()
  const name = `template_${createHash('sha256').update(schema).digest('hex').slice(0, 12)}`
  const client = new pg.Client(`${url}/postgres`)
  await client.connect()
  await client.query('SELECT pg_advisory_lock(1)')
  const { rowCount } = await client.query('SELECT 1 FROM pg_database WHERE datname = $1', [name])
  if (rowCount === 0) {
    await client.query(`CREATE DATABASE ${name}_draft`)
    const draft = new pg.Client(`${url}/${name}_draft`)
    await draft.connect()
    await draft.query(schema)
    await draft.query('INSERT INTO schema_version (version) VALUES ($1)', [newestVersion()])
    await draft.end()
    await client.query(`ALTER DATABASE ${name}_draft RENAME TO ${name}`)
  }
  await client.end()
  return name
}

async function inServer(url: string, sql: string): Promise<void> {
  const client = new pg.Client(`${url}/postgres`)
  await client.connect()
  await client.query(sql)
  await client.end()
}

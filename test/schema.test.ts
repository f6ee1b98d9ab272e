import assert from 'node:assert/strict'
import { readFileSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { tableTypes } from '../tools/tables.ts'
import { tableColumns, foreignKeysOf, schemaStructure, tablesOf } from '../src/db/schema-shape.ts'
import {
  baseline,
  migrate,
  migrations,
  newestVersion,
  NewerSchema,
  UnreleasedSchema,
  type Migration,
} from '../src/db/migrate.ts'
import { verifyCalls } from '../src/audit/verify.ts'
import { sqliteConnection } from '../src/db/dialect.ts'
import { findFaults } from '../src/db/whole.ts'
import { databaseOfFirstRelease } from '../src/testing/releases/index.ts'
import { scratch } from '../src/testing/scratch.ts'
import { portableSchema, sqliteAdditions, strict } from '../src/db/schema.ts'

function freshDatabase(sql = strict(portableSchema()) + sqliteAdditions()): Database.Database {
  const db = new Database(':memory:')
  db.exec(sql)
  return db
}

/** The schema created by these steps, starting from nothing. */
function madeBy(steps: readonly Migration[]): Record<string, unknown> {
  return schemaStructure(freshDatabase(strict(steps.map((step) => step.sql).join('\n'))))
}

test('schema.sql loads in SQLite, with every table STRICT', () => {
  const tables = tablesOf(freshDatabase(strict(portableSchema())))
  assert.ok(tables.length > 20)
  assert.deepEqual(
    tables.filter((table) => table.strict !== 1).map((table) => table.name),
    [],
  )
})

test('tables.ts matches schema.sql; `npm run tables` rewrites it', () => {
  assert.ok(
    readFileSync(new URL('../src/db/tables.ts', import.meta.url), 'utf8') === tableTypes(),
    'src/db/tables.ts is stale; run `npm run tables`',
  )
})

/** Tables without an organization of their own, each with its reason. */
const ofNobody: Record<string, string> = {
  orgs: 'the organizations themselves',
  setup_links: 'before there is an organization',
  search_providers: 'the house has one for all',
  search_spaces: 'the vectors of all organizations are made in the same way',
  search_terms: 'words, whose vectors are the same for all',
  search_todo: 'by text, which belongs to one',
  search_vectors: 'by text, which belongs to one',
  replays: 'by person, who belongs to one',
  sign_in_failures: 'by address or browser; whether anybody has it must not show',
  oauth_clients: 'programs are the same for all of the instance',
  oauth_callback_hosts: 'what is decided about programs is the same for all of the instance',
  oauth_requests: 'nobody has decided yet in whose name',
  oauth_codes: 'belong to a connection, which belongs to an organization',
  oauth_tokens: 'belong to a connection, which belongs to an organization',
  oauth_assertions: 'of programs, not of people',
  scim_group_members: 'of a group, which belongs to one',
  passkey_challenges: 'nobody is signed in yet where one is for signing in',
  jobs: 'work of the house itself belongs to none',
  entity_feeds: 'how far the house itself has come with its work',
  job_schedules: 'work of the house itself belongs to none',
  abuse_findings: 'some are about addresses, of whom nothing is known',
}

test('every table belongs to an organization, except the few with a stated reason', () => {
  const db = freshDatabase()
  const without = tablesOf(db)
    .map((table) => table.name)
    .filter(
      (table) =>
        !tableColumns(db, table).some(
          (column) => column.name === 'org_id' && column.notnull === 1,
        ) && !table.startsWith('search_fts'),
    )
  assert.deepEqual(
    without.sort(),
    Object.keys(ofNobody)
      .filter((table) => without.includes(table))
      .sort(),
  )
})

/** References by id only: to the people who acted, and from tables written only by the system. */
const byIdAlone = /^(orgs|users)$/

test('a row can never reference another organization: references include org_id and id', () => {
  const db = freshDatabase()
  const loose = tablesOf(db).flatMap(({ name }) => {
    if (!tableColumns(db, name).some((column) => column.name === 'org_id')) return []
    const keys = foreignKeysOf(db, name)
    return keys
      .filter(
        (key) =>
          key.to === 'id' &&
          !keys.some(
            (other) => other.id === key.id && other.from === 'org_id' && other.to === 'org_id',
          ),
      )
      .filter(
        (key) =>
          !(byIdAlone.test(key.table) && /^(org_id|created_by|actor_id)$/.test(key.from)) &&
          !(name === 'calls' && key.from === 'key_id'),
      )
      .map((key) => `${name}.${key.from}`)
  })
  assert.deepEqual(loose, [])
})

test('a reference across organizations is refused by the database', () => {
  const db = freshDatabase()
  db.pragma('foreign_keys = ON')
  const org = db.prepare(
    "INSERT INTO orgs VALUES (?, 'x', 'UTC', '[]', '[]', '[]', '[]', 30, 1, 0, 0)",
  )
  const user = db.prepare(
    "INSERT INTO users (id, org_id, email, display_name, role, status, timezone, working_hours_json, availability, revision, created_at, updated_at) VALUES (?, ?, ?, 'x', 'member', 'active', 'UTC', '{}', 'available', 1, 0, 0)",
  )
  for (const name of ['a', 'b']) {
    org.run(`org_${name}`)
    user.run(`usr_${name}`, `org_${name}`, `${name}@x.test`)
  }
  const manager = db.prepare('UPDATE users SET manager_id = ? WHERE id = ?')
  assert.throws(() => manager.run('usr_b', 'usr_a'), /FOREIGN KEY/)
})

test('columns follow the conventions: ids, moments, days, flags, JSON', () => {
  const db = freshDatabase()
  const columns = tablesOf(db)
    .filter(({ name }) => !name.startsWith('search_'))
    .flatMap(({ name }) =>
      tableColumns(db, name).map((column) => ({ ...column, place: `${name}.${column.name}` })),
    )
  const wrong = (pattern: RegExp, type: string) =>
    columns
      .filter((column) => pattern.test(column.name) && column.type !== type)
      .map((column) => column.place)
  assert.deepEqual(wrong(/^id$|_id$/, 'TEXT'), [])
  assert.deepEqual(wrong(/^at$|_at$/, 'INTEGER'), [])
  assert.deepEqual(wrong(/_on$/, 'TEXT'), [])
  assert.deepEqual(wrong(/_json$/, 'TEXT'), [])
})

test('a migrated database of the first release equals schema.sql', async (t) => {
  const steps = migrations()
  steps.forEach(({ name }, i) => {
    const number = String(baseline + 1 + i).padStart(3, '0')
    assert.match(name, new RegExp(`^${number}-[a-z0-9-]+\\.sql$`), 'numbered without a gap')
  })
  const db = firstRelease(t)
  const calls = db.prepare('SELECT count(*) FROM calls').pluck().get() as number
  assert.deepEqual(
    migrate(db),
    steps.map((migration) => migration.name),
  )
  assert.equal(db.pragma('user_version', { simple: true }), newestVersion())
  assert.deepEqual(schemaStructure(db), schemaStructure(freshDatabase()))
  assert.deepEqual(findFaults(db), [])
  const chains = await verifyCalls(sqliteConnection(db))
  assert.equal(
    chains.reduce((sum, chain) => sum + chain.entries, 0),
    calls,
  )
  assert.deepEqual(
    chains.filter((chain) => chain.broken),
    [],
  )
})

test('a database from before the first release is refused and left unchanged', (t) => {
  const db = firstRelease(t)
  db.pragma(`user_version = ${baseline - 1}`)
  assert.throws(
    () => migrate(db),
    (error: Error) =>
      error instanceof UnreleasedSchema && /from before release 0\.1\.0/.test(error.message),
  )
  assert.equal(db.pragma('user_version', { simple: true }), baseline - 1)
})

function firstRelease(t: TestContext): Database.Database {
  const { dir, remove } = scratch()
  const file = join(dir, 'workspace.db')
  writeFileSync(file, databaseOfFirstRelease())
  const db = new Database(file)
  t.after(() => {
    db.close()
    remove()
  })
  return db
}

const start = { name: '029-start.sql', sql: portableSchema() + sqliteAdditions() }
const without = (sql: string, line: RegExp) => sql.replace(line, '')

test('a column added by a migration equals one that was always there, and a missing one is detected', () => {
  const older = {
    name: '029-start.sql',
    sql: without(
      start.sql,
      /^ {2}description TEXT,\n(?= {2}revision INTEGER NOT NULL,\n {2}created_at BIGINT NOT NULL,\n {2}updated_at BIGINT NOT NULL,\n {2}created_by TEXT NOT NULL REFERENCES users \(id\),\n.*\n {2}deleted_at)/m,
    ),
  }
  assert.notEqual(older.sql, start.sql)
  const now = schemaStructure(freshDatabase())
  assert.notDeepEqual(madeBy([older]), now)
  assert.deepEqual(
    madeBy([
      older,
      { name: '030-described.sql', sql: 'ALTER TABLE teams ADD COLUMN description TEXT;' },
    ]),
    now,
  )
  assert.notDeepEqual(
    madeBy([
      { ...start, sql: start.sql.replace("('lead', 'member')", "('lead', 'member', 'guest')") },
    ]),
    now,
  )
  assert.notDeepEqual(
    madeBy([{ ...start, sql: without(start.sql, /^CREATE INDEX calls_by_key.*\n/m) }]),
    now,
  )
})

test('migration runs step by step, counts the steps, and rolls back a failing one as a whole', () => {
  const db = freshDatabase(
    'CREATE TABLE old (id TEXT PRIMARY KEY) STRICT; PRAGMA user_version = 29;',
  )
  const steps = [
    start,
    { name: '030-new.sql', sql: 'CREATE TABLE new (\n  at BIGINT NOT NULL\n);' },
    { name: '031-bad.sql', sql: 'CREATE TABLE half (id TEXT); CREATE TABLE half (id TEXT);' },
  ]
  assert.throws(() => migrate(db, steps), /half/)
  assert.equal(db.pragma('user_version', { simple: true }), 30)
  assert.deepEqual(
    tablesOf(db).map((table) => table.name),
    ['new', 'old'],
  )
  assert.deepEqual(
    migrate(db, [
      ...steps.slice(0, 2),
      { name: '031-good.sql', sql: 'CREATE TABLE good (\n  id TEXT\n);' },
    ]),
    ['031-good.sql'],
  )
  assert.deepEqual(migrate(db, steps), [])
  assert.throws(() => migrate(db, steps.slice(0, 2)), NewerSchema)
})

test('a step that would break references is rolled back', () => {
  const db = freshDatabase(
    'CREATE TABLE a (id TEXT PRIMARY KEY) STRICT; CREATE TABLE b (a_id TEXT REFERENCES a (id)) STRICT; PRAGMA user_version = 29;',
  )
  db.exec("INSERT INTO a VALUES ('x'); INSERT INTO b VALUES ('x')")
  assert.throws(
    () => migrate(db, [start, { name: '030-loses.sql', sql: 'DELETE FROM a;' }]),
    /break 1 reference\b/,
  )
  assert.equal(db.prepare('SELECT count(*) FROM a').pluck().get(), 1)
  assert.equal(db.pragma('foreign_keys', { simple: true }), 1)
})

test('a new file gets schema.sql at once and counts every step as done', () => {
  const db = new Database(':memory:')
  assert.deepEqual(migrate(db, [start]), ['schema.sql'])
  assert.equal(db.pragma('user_version', { simple: true }), 29)
  assert.deepEqual(schemaStructure(db), schemaStructure(freshDatabase()))
  assert.deepEqual(migrate(db, [start]), [])
})

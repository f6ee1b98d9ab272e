import assert from 'node:assert/strict'
import { after, before, describe, test } from 'node:test'
import Database from 'better-sqlite3'
import pg from 'pg'
import { migrate } from '../src/db/migrate.ts'
import { postgresSchema } from '../src/db/postgres/schema.ts'
import { portableSchema } from '../src/db/schema.ts'
import { Refusal } from '../src/kernel/refusal.ts'
import type { Entry } from '../src/operations/entry.ts'
import type { Ids } from '../src/testing/fixtures/fixture.ts'
import { followAll, plantHidden, plantOpen } from '../src/testing/fixtures/organization.ts'
import { makeWorkspace, type Someone, type TestWorkspace } from '../src/testing/harness.ts'
import { leastArguments, waysToRead } from '../src/testing/least-calls.ts'
import { noPostgres, startPostgres, type PostgresDaemon } from '../src/testing/servers/daemons.ts'
import { recordStatements } from '../src/testing/statements.ts'

// Tests that PostgreSQL accepts what modules send to SQLite: the schema with its triggers, and every statement.

/**
 * Statements only for SQLite: of the search index, which stays a separate file, and of savepoints, which each
 * engine's writer implements separately.
 */
const ofSqlite = /\bsearch_(fts|vectors|terms)\b|\btotal_changes\(\)|^(savepoint|release|rollback) /

describe('on a real PostgreSQL server', { skip: noPostgres ?? false }, () => {
  let daemon: PostgresDaemon
  let postgres: pg.Client
  let workspace: TestWorkspace
  const noted = new Map<string, string>()
  before(async () => {
    daemon = await startPostgres()
    postgres = new pg.Client({ connectionString: `${daemon.url}/postgres` })
    await postgres.connect()
    await postgres.query(postgresSchema())
    workspace = await makeWorkspace()
    recordStatements(workspace.app.store.read, noted)
    recordStatements(workspace.app.store.write, noted)
    await runThroughAll(workspace)
  })
  after(async () => {
    await workspace?.close()
    await postgres?.end()
    await daemon?.close()
  })

  test('it has every trigger of SQLite except those of the search index', async () => {
    const { rows } = await postgres.query<{ name: string; of: string }>(
      "SELECT DISTINCT tgname AS name, tgrelid::regclass::text AS of FROM pg_trigger WHERE NOT tgisinternal AND tgrelid <> 'search_docs'::regclass",
    )
    const sqlite = new Database(':memory:')
    migrate(sqlite)
    const expected = sqlite
      .prepare(
        "SELECT name, tbl_name AS of FROM sqlite_schema WHERE type = 'trigger' AND tbl_name <> 'search_docs'",
      )
      .all() as typeof rows
    const inOrder = (triggers: typeof rows) =>
      triggers.map(({ name, of }) => `${of} ${name}`).sort()
    assert.ok(expected.length > 15)
    assert.deepEqual(inOrder(rows), inOrder(expected))
  })

  test('it accepts every statement of a run through all operations', async () => {
    assert.ok(noted.size > 1000, `${noted.size} statements`)
    assert.deepEqual(await refusedOf(postgres, [...noted]), [])
  })

  test('its triggers maintain the same rows as those of SQLite, and refuse the same changes', async () => {
    const sqlite = workspace.app.store.raw.write
    await copyRows(sqlite, postgres)
    assert.deepEqual(await keptIn(postgres), keptBySqlite(sqlite))
    let refused = 0
    for (const sql of changes) {
      const expected = outcomeOf(() => sqlite.prepare(sql).run())
      const got = await postgres.query(sql).then(
        () => 'done',
        (error: Error) => error.message,
      )
      assert.equal(got, expected, sql)
      if (got !== 'done') refused++
      assert.deepEqual(await keptIn(postgres), keptBySqlite(sqlite), sql)
    }
    assert.equal(refused, 6)
  })
})

/** Tables maintained by triggers, and their sort columns. */
const derivedTables = {
  task_counts: 'project_id, status_category',
  open_assignments: 'task_id, person_id',
  open_counts: 'project_id, person_id',
  contact_emails: 'org_id, email',
  contact_phones: 'org_id, phone, contact_id',
}
const selectKept = Object.entries(derivedTables).map(
  ([table, order]) => [table, `SELECT * FROM ${table} ORDER BY ${order}`] as const,
)

async function keptIn(postgres: pg.Client): Promise<Record<string, unknown>> {
  const rows: Record<string, unknown> = {}
  for (const [table, sql] of selectKept) rows[table] = (await postgres.query(sql)).rows
  return plain(rows)
}

function keptBySqlite(sqlite: Database.Database): Record<string, unknown> {
  return plain(
    Object.fromEntries(selectKept.map(([table, sql]) => [table, sqlite.prepare(sql).all()])),
  )
}

/** BIGINT values are returned as text. */
function plain(rows: Record<string, unknown>): Record<string, unknown> {
  return JSON.parse(
    JSON.stringify(rows, (_, value) =>
      /^\d{1,15}$/.test(value as string) ? Number(value) : value,
    ),
  ) as Record<string, unknown>
}

/** Copies all rows, except those created by triggers. */
async function copyRows(sqlite: Database.Database, postgres: pg.Client): Promise<void> {
  const tables = [...portableSchema().matchAll(/^CREATE TABLE (\w+)/gm)].map(([, table]) => table!)
  for (const table of tables.filter((name) => !(name in derivedTables))) {
    const rows = sqlite.prepare(`SELECT * FROM ${table}`).all()
    if (rows.length > 0)
      await postgres.query(
        `INSERT INTO ${table} SELECT * FROM json_populate_recordset(null::${table}, $1)`,
        [JSON.stringify(rows)],
      )
  }
}

/** For a planted organization; refused ones show why. */
const someTask = "(SELECT min(id) FROM tasks WHERE deleted_at IS NULL AND status_category = 'todo')"
const changes = [
  `UPDATE tasks SET status_category = 'done' WHERE id = ${someTask}`,
  `UPDATE tasks SET due_on = '2027-01-01' WHERE deleted_at IS NULL`,
  `UPDATE tasks SET deleted_at = 5 WHERE id = ${someTask}`,
  `UPDATE tasks SET deleted_at = NULL WHERE deleted_at = 5`,
  `DELETE FROM task_people WHERE task_id = ${someTask}`,
  `UPDATE contacts SET emails_json = '["new@example.com","other@example.com"]', phones_json = '[]' WHERE id = (SELECT min(id) FROM contacts)`,
  `UPDATE contacts SET deleted_at = 5 WHERE id = (SELECT min(id) FROM contacts)`,
  `UPDATE contacts SET deleted_at = NULL WHERE deleted_at = 5`,
  `DELETE FROM calls`,
  `UPDATE calls SET tool = 'x'`,
  `UPDATE calls SET salt = 'x'`,
  `UPDATE calls SET salt = NULL, details_json = NULL`,
  `DELETE FROM api_keys`,
  `UPDATE api_keys SET revoked_at = 7 WHERE revoked_at IS NULL`,
  `UPDATE api_keys SET revoked_at = NULL`,
  `UPDATE pages SET parent_id = id WHERE id = (SELECT min(id) FROM pages)`,
]

function outcomeOf(change: () => unknown): string {
  try {
    change()
    return 'done'
  } catch (error) {
    return (error as Error).message
  }
}

/** Statements that PostgreSQL cannot prepare, each with the reason and its origin. */
async function refusedOf(
  postgres: pg.Client,
  statements: readonly (readonly [sql: string, sender: string])[],
): Promise<string[]> {
  const refused = new Set<string>()
  for (const [sql, sender] of statements) {
    if (ofSqlite.test(sql)) continue
    try {
      await postgres.query(`PREPARE statement AS ${sql}`)
      await postgres.query('DEALLOCATE statement')
    } catch (error) {
      const { message, position } = error as pg.DatabaseError
      const at = Number(position ?? 0) - 'PREPARE statement AS '.length
      refused.add(`${sender}: ${message}: …${sql.slice(Math.max(0, at - 60), at + 60)}…`)
    }
  }
  return [...refused]
}

/**
 * Plants one item of every type, reads everything in all ways, and calls every write: refused ones have queried the
 * database, too.
 */
async function runThroughAll(workspace: TestWorkspace): Promise<void> {
  const { ann, bob } = workspace
  const open = await plantOpen(ann, 'open')
  const label = open.label![0]
  const planted = await plantHidden(workspace, ann, { word: 'word', key: 'SECRET', label })
  const ids: Ids = { ...open, ...planted, person: [bob.id, ann.id] }
  const key = await workspace.key(ann, { toolsets: ['tasks', 'pages', 'drive', 'system'] })
  await readEverything(workspace, ids, [ann, bob, { ...ann, actor: { ...ann.actor, key } }])
  await writeEverything(workspace, ann, ids)
  await followAll(workspace)
}

const routesOf = ({ app }: TestWorkspace, kind: 'read' | 'write') =>
  app.catalogue.routes.filter(({ operation }) => (operation.kind === 'read') === (kind === 'read'))

/** All ways for the first person, only the simplest for the others. */
async function readEverything(
  workspace: TestWorkspace,
  ids: Ids,
  [first, ...others]: readonly [Someone, ...Someone[]],
): Promise<void> {
  for (const entry of routesOf(workspace, 'read')) {
    const ways = waysToRead(entry, ids, ['word task'])
    for (const args of ways) await attempt(first, entry, args)
    for (const person of others) await attempt(person, entry, ways[0]!)
  }
}

async function writeEverything(workspace: TestWorkspace, who: Someone, ids: Ids): Promise<void> {
  const entries = routesOf(workspace, 'write')
  const ending = ({ operation }: Entry) =>
    /^(delete|erase|remove|trash|empty)_/.test(operation.name)
  for (const entry of [...entries.filter((item) => !ending(item)), ...entries.filter(ending)])
    for (const dry_run of [true, false])
      await attempt(who, entry, { ...leastArguments(entry, ids), ...(dry_run && { dry_run }) })
}

async function attempt(who: Someone, entry: Entry, args: Record<string, unknown>): Promise<void> {
  try {
    await who.call(entry.operation.name, args)
  } catch (error) {
    if (!(error instanceof Refusal) || error.code === 'internal') throw error
  }
}

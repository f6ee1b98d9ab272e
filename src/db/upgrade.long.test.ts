import assert from 'node:assert/strict'
import { spawn } from 'node:child_process'
import { existsSync, readFileSync, readdirSync, rmSync, statSync, writeFileSync } from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import { setTimeout as pause } from 'node:timers/promises'
import Database from 'better-sqlite3'
import { scratch } from '../testing/scratch.ts'
import { migrations, newestVersion, NewerSchema, type Migration } from './migrate.ts'
import { databasePath, openStore } from './open.ts'

const currentMigrations = migrations()
const currentVersion = newestVersion()
const nextVersion = currentVersion + 1
/** Steps slow enough to be killed midway; each changes many rows and records its completion in a table. */
const slowMigrations: Migration[] = [1, 2, 3].map((step) => ({
  name: `${String(currentVersion + step).padStart(3, '0')}-slow.sql`,
  sql: `CREATE TABLE step_${step} (\n  n BIGINT NOT NULL\n);
INSERT INTO step_${step} WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 60000) SELECT n FROM many;
UPDATE orgs SET name = 'step ${step}';`,
}))

async function createDatabase(t: TestContext): Promise<{ dir: string; file: string }> {
  const { dir, remove } = scratch()
  t.after(remove)
  const store = openStore(dir)
  store.raw.write.exec(
    "INSERT INTO orgs VALUES ('org_x', 'step 0', 'UTC', '[]', '[]', '[]', '[]', 30, 1, 0, 0)",
  )
  await store.close()
  return { dir, file: databasePath(dir) }
}

function inspect(file: string): { version: number; name: string; tables: number } {
  const db = new Database(file, { readonly: true })
  try {
    assert.equal(db.pragma('integrity_check', { simple: true }), 'ok')
    assert.deepEqual(db.pragma('foreign_key_check'), [])
    return {
      version: db.pragma('user_version', { simple: true }) as number,
      name: db.prepare('SELECT name FROM orgs').pluck().get() as string,
      tables: db
        .prepare("SELECT count(*) FROM sqlite_schema WHERE name LIKE 'step%'")
        .pluck()
        .get() as number,
    }
  } finally {
    db.close()
  }
}

test('an upgrade keeps an owner-only copy of the previous database, and the next upgrade replaces it', async (t) => {
  const { dir, file } = await createDatabase(t)
  const store = openStore(dir, 'server', [...currentMigrations, slowMigrations[0]!])
  assert.deepEqual(store.applied, [slowMigrations[0]!.name])
  await store.close()
  assert.deepEqual(inspect(file), { version: nextVersion, name: 'step 1', tables: 1 })
  const copy = `${file}-before-${nextVersion}`
  assert.deepEqual(inspect(copy), { version: nextVersion - 1, name: 'step 0', tables: 0 })
  assert.equal(statSync(copy).mode & 0o777, 0o600)
  await openStore(dir, 'server', [...currentMigrations, ...slowMigrations]).close()
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.includes('before')),
    [`workspace.db-before-${nextVersion + 1}`],
  )
  assert.equal(inspect(`${file}-before-${nextVersion + 1}`).name, 'step 1')
})

test('a start without pending migrations makes no copy', async (t) => {
  const { dir } = await createDatabase(t)
  await openStore(dir).close()
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.includes('before')),
    [],
  )
})

test('a downgrade is refused with a reason by server and commands, and the file stays unchanged', async (t) => {
  const { dir, file } = await createDatabase(t)
  await openStore(dir, 'server', [...currentMigrations, slowMigrations[0]!]).close()
  const before = readFileSync(file)
  for (const role of ['server', 'command'] as const)
    assert.throws(
      () => openStore(dir, role),
      (error: Error) =>
        error instanceof NewerSchema &&
        /schema version \d+, this program knows \d+\. Start the newer version/.test(error.message),
    )
  assert.deepEqual(readFileSync(file), before)
})

test('a failing migration leaves the database at the completed previous one, with the copy', async (t) => {
  const { dir, file } = await createDatabase(t)
  const bad = {
    name: `0${nextVersion + 1}-bad.sql`,
    sql: "UPDATE orgs SET name = 'half'; CREATE TABLE step_9 (n TEXT); INSERT INTO nowhere VALUES (1);",
  }
  assert.throws(
    () => openStore(dir, 'server', [...currentMigrations, slowMigrations[0]!, bad]),
    /nowhere/,
  )
  assert.deepEqual(inspect(file), { version: nextVersion, name: 'step 1', tables: 1 })
  assert.ok(existsSync(`${file}-before-${nextVersion}`))
})

test('a migration that would leave the database broken is rolled back', async (t) => {
  const { dir, file } = await createDatabase(t)
  const breaking = {
    name: `0${nextVersion}-breaking.sql`,
    sql: "PRAGMA ignore_check_constraints = ON; INSERT INTO users (id, org_id, email, display_name, role, status, timezone, working_hours_json, availability, revision, created_at, updated_at) VALUES ('usr_x', 'org_x', 'x', 'x', 'no such role', 'active', 'UTC', '{}', 'available', 1, 0, 0); PRAGMA ignore_check_constraints = OFF;",
  }
  assert.throws(
    () => openStore(dir, 'server', [...currentMigrations, breaking]),
    /would leave the database damaged: CHECK constraint failed in users/,
  )
  assert.equal(inspect(file).version, currentVersion)
})

test('a kill at any moment of an upgrade leaves a complete migration, and the next start continues from there', async (t) => {
  const { dir, file } = await createDatabase(t)
  const old = readFileSync(file)
  const script = join(dir, 'upgrade.mjs')
  const sourceUrl = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  writeFileSync(
    script,
    `import { openStore } from ${sourceUrl('./open.ts')}\nprocess.stdout.write('begun')\nopenStore(${JSON.stringify(dir)}, 'server', ${JSON.stringify([...currentMigrations, ...slowMigrations])})\nprocess.stdout.write('done')\nsetInterval(() => {}, 1000)\n`,
  )
  const fullDuration = await measureUpgrade(script)
  const seen = new Set<string>()
  for (let round = 0; round < 14; round++) {
    for (const name of readdirSync(dir))
      if (name.startsWith('workspace.db')) rmSync(join(dir, name))
    writeFileSync(file, old)
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = new Promise((done) => child.once('exit', done))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await pause((round / 11) * fullDuration)
    child.kill('SIGKILL')
    await exited
    const state = inspectAfterCrash(file)
    seen.add(`${state.version}`)
    assert.deepEqual(state, {
      version: currentVersion + state.tables,
      name: `step ${state.tables}`,
      tables: state.tables,
    })
    const copy = readdirSync(dir).find((name) => /before-\d+$/.test(name))
    if (copy !== undefined) assert.equal(inspect(join(dir, copy)).name, 'step 0')
    if (state.tables > 0) assert.ok(copy !== undefined, 'no migration runs without a copy')
    await openStore(dir, 'server', [...currentMigrations, ...slowMigrations]).close()
    assert.deepEqual(inspect(file), { version: currentVersion + 3, name: 'step 3', tables: 3 })
  }
  assert.ok(seen.size > 1, `it was killed at different steps: ${[...seen].join(', ')}`)
})

/** Measures the duration of such an upgrade on this machine. */
async function measureUpgrade(script: string): Promise<number> {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise((done) => child.once('exit', done))
  let [output, startedAt] = ['', 0]
  const duration = await new Promise<number>((resolve) => {
    child.stdout.on('data', (part) => {
      startedAt ||= performance.now()
      output += part
      if (output.endsWith('done')) resolve(performance.now() - startedAt)
    })
  })
  child.kill('SIGKILL')
  await exited
  return duration
}

/** Opens the database as the next process would, including the log beside it. */
function inspectAfterCrash(file: string): ReturnType<typeof inspect> {
  const db = new Database(file)
  db.close()
  return inspect(file)
}

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
const current = newestVersion()
const next = current + 1
/** Steps slow enough to be killed midway; each changes many rows and records its completion in a table. */
const slow: Migration[] = [1, 2, 3].map((step) => ({
  name: `${String(current + step).padStart(3, '0')}-slow.sql`,
  sql: `CREATE TABLE step_${step} (\n  n BIGINT NOT NULL\n);
INSERT INTO step_${step} WITH RECURSIVE many (n) AS (SELECT 1 UNION ALL SELECT n + 1 FROM many WHERE n < 60000) SELECT n FROM many;
UPDATE orgs SET name = 'step ${step}';`,
}))

async function made(t: TestContext): Promise<{ dir: string; file: string }> {
  const { dir, remove } = scratch()
  t.after(remove)
  const store = openStore(dir)
  store.raw.write.exec(
    "INSERT INTO orgs VALUES ('org_x', 'step 0', 'UTC', '[]', '[]', '[]', '[]', 30, 1, 0, 0)",
  )
  await store.close()
  return { dir, file: databasePath(dir) }
}

function look(file: string): { version: number; name: string; tables: number } {
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
  const { dir, file } = await made(t)
  const store = openStore(dir, 'server', [...currentMigrations, slow[0]!])
  assert.deepEqual(store.applied, [slow[0]!.name])
  await store.close()
  assert.deepEqual(look(file), { version: next, name: 'step 1', tables: 1 })
  const copy = `${file}-before-${next}`
  assert.deepEqual(look(copy), { version: next - 1, name: 'step 0', tables: 0 })
  assert.equal(statSync(copy).mode & 0o777, 0o600)
  await openStore(dir, 'server', [...currentMigrations, ...slow]).close()
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.includes('before')),
    [`workspace.db-before-${next + 1}`],
  )
  assert.equal(look(`${file}-before-${next + 1}`).name, 'step 1')
})

test('a start without pending migrations makes no copy', async (t) => {
  const { dir } = await made(t)
  await openStore(dir).close()
  assert.deepEqual(
    readdirSync(dir).filter((name) => name.includes('before')),
    [],
  )
})

test('a downgrade is refused with a reason by server and commands, and the file stays unchanged', async (t) => {
  const { dir, file } = await made(t)
  await openStore(dir, 'server', [...currentMigrations, slow[0]!]).close()
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
  const { dir, file } = await made(t)
  const bad = {
    name: `0${next + 1}-bad.sql`,
    sql: "UPDATE orgs SET name = 'half'; CREATE TABLE step_9 (n TEXT); INSERT INTO nowhere VALUES (1);",
  }
  assert.throws(() => openStore(dir, 'server', [...currentMigrations, slow[0]!, bad]), /nowhere/)
  assert.deepEqual(look(file), { version: next, name: 'step 1', tables: 1 })
  assert.ok(existsSync(`${file}-before-${next}`))
})

test('a migration that would leave the database broken is rolled back', async (t) => {
  const { dir, file } = await made(t)
  const breaking = {
    name: `0${next}-breaking.sql`,
    sql: "PRAGMA ignore_check_constraints = ON; INSERT INTO users (id, org_id, email, display_name, role, status, timezone, working_hours_json, availability, revision, created_at, updated_at) VALUES ('usr_x', 'org_x', 'x', 'x', 'no such role', 'active', 'UTC', '{}', 'available', 1, 0, 0); PRAGMA ignore_check_constraints = OFF;",
  }
  assert.throws(
    () => openStore(dir, 'server', [...currentMigrations, breaking]),
    /would leave the database damaged: CHECK constraint failed in users/,
  )
  assert.equal(look(file).version, current)
})

test('a kill at any moment of an upgrade leaves a complete migration, and the next start continues from there', async (t) => {
  const { dir, file } = await made(t)
  const old = readFileSync(file)
  const script = join(dir, 'upgrade.mjs')
  const here = (name: string) => JSON.stringify(new URL(name, import.meta.url).href)
  writeFileSync(
    script,
    `import { openStore } from ${here('./open.ts')}\nprocess.stdout.write('begun')\nopenStore(${JSON.stringify(dir)}, 'server', ${JSON.stringify([...currentMigrations, ...slow])})\nprocess.stdout.write('done')\nsetInterval(() => {}, 1000)\n`,
  )
  const whole = await timeOf(script)
  const seen = new Set<string>()
  for (let round = 0; round < 14; round++) {
    for (const name of readdirSync(dir))
      if (name.startsWith('workspace.db')) rmSync(join(dir, name))
    writeFileSync(file, old)
    const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
    const exited = new Promise((done) => child.once('exit', done))
    await new Promise((resolve) => child.stdout.once('data', resolve))
    await pause((round / 11) * whole)
    child.kill('SIGKILL')
    await exited
    const at = lookAsFound(file)
    seen.add(`${at.version}`)
    assert.deepEqual(at, {
      version: current + at.tables,
      name: `step ${at.tables}`,
      tables: at.tables,
    })
    const copy = readdirSync(dir).find((name) => /before-\d+$/.test(name))
    if (copy !== undefined) assert.equal(look(join(dir, copy)).name, 'step 0')
    if (at.tables > 0) assert.ok(copy !== undefined, 'no step is taken without a copy')
    await openStore(dir, 'server', [...currentMigrations, ...slow]).close()
    assert.deepEqual(look(file), { version: current + 3, name: 'step 3', tables: 3 })
  }
  assert.ok(seen.size > 1, `it was killed at different steps: ${[...seen].join(', ')}`)
})

/** Measures the duration of such an upgrade on this machine. */
async function timeOf(script: string): Promise<number> {
  const child = spawn(process.execPath, [script], { stdio: ['ignore', 'pipe', 'inherit'] })
  const exited = new Promise((done) => child.once('exit', done))
  let [said, begun] = ['', 0]
  const took = await new Promise<number>((go) => {
    child.stdout.on('data', (part) => {
      begun ||= performance.now()
      said += part
      if (said.endsWith('done')) go(performance.now() - begun)
    })
  })
  child.kill('SIGKILL')
  await exited
  return took
}

/** Opens the database as the next process would, including the log beside it. */
function lookAsFound(file: string): ReturnType<typeof look> {
  const db = new Database(file)
  db.close()
  return look(file)
}

import assert from 'node:assert/strict'
import {
  existsSync,
  readdirSync,
  readFileSync,
  statSync,
  truncateSync,
  writeFileSync,
} from 'node:fs'
import { join } from 'node:path'
import { test, type TestContext } from 'node:test'
import Database from 'better-sqlite3'
import { scratch } from '../testing/scratch.ts'
import { NewerSchema } from './migrate.ts'
import { DatabaseDamaged, databasePath, NoDatabase, OlderSchema, openStore } from './open.ts'

async function createDatabase(t: TestContext): Promise<{ dir: string; file: string }> {
  const { dir, remove } = scratch()
  t.after(remove)
  await openStore(dir).close()
  return { dir, file: databasePath(dir) }
}

test('a damaged or emptied file is refused and left byte for byte unchanged', async (t) => {
  const { dir, file } = await createDatabase(t)
  const original = readFileSync(file)
  const damagings: (() => void)[] = [
    () => truncateSync(file, 0),
    () => truncateSync(file, original.length - 4096 * 3),
    () =>
      writeFileSync(
        file,
        Buffer.concat([
          original.subarray(0, 40960),
          Buffer.alloc(40960, 0xa5),
          original.subarray(81920),
        ]),
      ),
    () =>
      writeFileSync(
        file,
        'no database at all, but long enough that it could be the header of one, which takes a hundred bytes',
      ),
  ]
  for (const damage of damagings) {
    writeFileSync(file, original)
    damage()
    const before = readFileSync(file)
    assert.throws(() => openStore(dir), DatabaseDamaged)
    assert.deepEqual(readFileSync(file), before)
  }
  writeFileSync(file, original)
  await openStore(dir).close()
})

test('a write-ahead log cut short by a crash and leftovers of a killed process do not prevent a start', async (t) => {
  const { dir, file } = await createDatabase(t)
  const store = openStore(dir)
  await store.writer.run(
    async () => void store.raw.write.exec("INSERT INTO setup_links VALUES ('x', 0, 0, NULL)"),
  )
  const [db, wal, shm] = ['', '-wal', '-shm'].map((part) => readFileSync(file + part))
  await store.close()
  writeFileSync(file, db!)
  writeFileSync(`${file}-wal`, wal!.subarray(0, wal!.length - 100))
  writeFileSync(`${file}-shm`, shm!.fill(0xff, 0, 100))
  await openStore(dir).close()
  writeFileSync(file, db!)
  writeFileSync(`${file}-wal`, wal!)
  const reopened = openStore(dir)
  assert.equal(reopened.raw.read.prepare('SELECT count(*) FROM setup_links').pluck().get(), 1)
  await reopened.close()
})

test('a command neither creates nor migrates a database, unless it sets up a workspace', async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  assert.throws(() => openStore(dir, 'command'), NoDatabase)
  assert.deepEqual(readdirSync(dir), [])
  const nestedDir = join(dir, 'deep', 'er')
  await openStore(nestedDir, 'begin').close()
  assert.deepEqual(
    [nestedDir, databasePath(nestedDir)].map((path) => statSync(path).mode & 0o777),
    [0o700, 0o600],
  )
  await openStore(nestedDir, 'command').close()
})

test('a command refuses a database of another version', async (t) => {
  const { dir, file } = await createDatabase(t)
  const setVersion = (version: number) => {
    const db = new Database(file)
    db.pragma(`user_version = ${version}`)
    db.close()
  }
  setVersion(-1)
  for (const role of ['command', 'begin'] as const)
    assert.throws(() => openStore(dir, role), OlderSchema)
  setVersion(999)
  for (const role of ['command', 'begin', 'server'] as const)
    assert.throws(() => openStore(dir, role), NewerSchema)
})

test('a backup opens a database of an earlier release unchanged, but none older than the first release', async (t) => {
  const { dir, file } = await createDatabase(t)
  const userVersion = (version?: number) => {
    const db = new Database(file)
    if (version !== undefined) db.pragma(`user_version = ${version}`)
    const at = db.pragma('user_version', { simple: true })
    db.close()
    return at
  }
  for (const earlier of [29, 40]) {
    userVersion(earlier)
    await openStore(dir, 'backup').close()
    assert.equal(userVersion(), earlier)
  }
  userVersion(28)
  assert.throws(() => openStore(dir, 'backup'), OlderSchema)
  userVersion(999)
  assert.throws(() => openStore(dir, 'backup'), NewerSchema)
})

test('a command leaves the write-ahead log to the running server', async (t) => {
  const { dir, file } = await createDatabase(t)
  const server = openStore(dir)
  const command = openStore(dir, 'command')
  await command.writer.run(
    async () => void command.raw.write.exec("INSERT INTO setup_links VALUES ('x', 0, 0, NULL)"),
  )
  await command.close()
  assert.ok(statSync(`${file}-wal`).size > 0)
  await server.close()
  assert.ok(!existsSync(`${file}-wal`))
})

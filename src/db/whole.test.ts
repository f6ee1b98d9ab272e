import assert from 'node:assert/strict'
import {
  closeSync,
  copyFileSync,
  existsSync,
  openSync,
  renameSync,
  statSync,
  utimesSync,
  writeSync,
} from 'node:fs'
import { test, type TestContext } from 'node:test'
import { scratch } from '../testing/scratch.ts'
import { DatabaseDamaged, databasePath, openStore } from './open.ts'
import { takeIntactMarker } from './whole.ts'

async function closedDatabase(t: TestContext): Promise<{ dir: string; file: string }> {
  const { dir, remove } = scratch()
  t.after(remove)
  await openStore(dir).close()
  return { dir, file: databasePath(dir) }
}

test('a cleanly closed database is known to be intact, once', async (t) => {
  const { file } = await closedDatabase(t)
  assert.equal(takeIntactMarker(file), true)
  assert.equal(takeIntactMarker(file), false)
})

test('while a server runs, or after one ended without closing, the database is not known to be intact', async (t) => {
  const { dir, file } = await closedDatabase(t)
  const store = openStore(dir)
  assert.equal(takeIntactMarker(file), false)
  store.raw.read.close()
  store.raw.write.close()
  assert.equal(takeIntactMarker(file), false)
})

test('a file written to by a command in the meantime is checked', async (t) => {
  const { dir, file } = await closedDatabase(t)
  const command = openStore(dir, 'command')
  await command.writer.run(
    async () => void command.raw.write.exec("INSERT INTO setup_links VALUES ('x', 0, 0, NULL)"),
  )
  await command.close()
  assert.equal(takeIntactMarker(file), false)
})

test('a file is not marked intact while a running command still keeps a write-ahead log beside it', async (t) => {
  const { dir, file } = await closedDatabase(t)
  const server = openStore(dir)
  const command = openStore(dir, 'command')
  await server.close()
  assert.equal(existsSync(`${file}-whole`), false)
  await command.close()
})

test('a copy put in its place is checked, even with the size and times of the old file', async (t) => {
  const { dir, file } = await closedDatabase(t)
  const { atime, mtime, size } = statSync(file)
  copyFileSync(file, `${file}.copy`)
  const copy = openSync(`${file}.copy`, 'r+')
  writeSync(copy, Buffer.alloc(4096 * 3, 0xa5), 0, 4096 * 3, 4096 * 10)
  closeSync(copy)
  utimesSync(`${file}.copy`, atime, mtime)
  renameSync(`${file}.copy`, file)
  assert.equal(statSync(file).size, size)
  assert.throws(() => openStore(dir), DatabaseDamaged)
})

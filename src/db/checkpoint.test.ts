import assert from 'node:assert/strict'
import { test } from 'node:test'
import { scratch } from '../testing/scratch.ts'
import { checkpointIfLarge, walSize } from './checkpoint.ts'
import { openStore } from './open.ts'

test('the log is truncated once it exceeds its limit, or, while a reader is active, after the reader ends', async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  const store = openStore(dir)
  const write = (n: number) =>
    store.writer.run(
      async () =>
        void store.raw.write
          .prepare('INSERT INTO setup_links SELECT ? || hex(randomblob(3000)), 0, 0, NULL')
          .run(String(n)),
    )
  for (let i = 0; i < 20; i++) await write(i)
  assert.equal(checkpointIfLarge(store), undefined, '64 MB is the limit')
  assert.ok(walSize(store.path) > 100_000)
  store.raw.read.exec('BEGIN')
  store.raw.read.prepare('SELECT count(*) FROM setup_links').get()
  await write(21)
  const blocked = checkpointIfLarge(store, 100_000)!
  assert.equal(blocked.after, blocked.before)
  store.raw.read.exec('COMMIT')
  assert.equal(checkpointIfLarge(store, 100_000)!.after, 0)
  await write(22)
  assert.equal(store.raw.read.prepare('SELECT count(*) FROM setup_links').pluck().get(), 22)
  await store.close()
  assert.equal(walSize(store.path), 0)
})

test('nothing is truncated in the middle of a transaction', async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  const store = openStore(dir)
  await store.writer.run(async () => {
    store.raw.write.exec("INSERT INTO setup_links VALUES ('x', 0, 0, NULL)")
    assert.equal(checkpointIfLarge(store, 0), undefined)
  })
  await store.close()
})

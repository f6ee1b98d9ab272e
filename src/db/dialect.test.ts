import assert from 'node:assert/strict'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { Statements, kyselyOver } from './dialect.ts'

test('each distinct text is prepared once, and the oldest are let go when there are many', () => {
  const db = new Database(':memory:')
  const statements = new Statements(db)
  assert.equal(statements.get('SELECT 1'), statements.get('SELECT 1'))
  const first = statements.get('SELECT 1')
  for (let i = 0; i < 600; i++) statements.get(`SELECT ${i + 2}`)
  assert.notEqual(statements.get('SELECT 1'), first)
})

test('queries answer rows, numbers of changes and what they return; a fault of SQL is a rejection', async () => {
  const raw = new Database(':memory:')
  raw.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT')
  const db = kyselyOver<{ t: { id: number; text: string } }>(raw)
  const made = await db.insertInto('t').values([{ id: 1, text: 'a' }, { id: 2, text: 'b' }]).returning('id').execute()
  assert.deepEqual(made, [{ id: 1 }, { id: 2 }])
  const changed = await db.updateTable('t').set({ text: 'c' }).where('id', '>', 0).executeTakeFirst()
  assert.equal(changed.numUpdatedRows, 2n)
  await assert.rejects(db.insertInto('t').values({ id: 1, text: 'again' }).execute(), /UNIQUE/)
  await assert.rejects(db.transaction().execute(async () => {}), /belong to the writer/)
})

import assert from 'node:assert/strict'
import { join } from 'node:path'
import { test } from 'node:test'
import Database from 'better-sqlite3'
import { scratch } from '../testing/scratch.ts'
import { Statements, sqliteConnection, readOnlyConnection } from './dialect.ts'
import { migrate, migrations } from './migrate.ts'

test('each distinct SQL text is prepared once, and the oldest statements are evicted when there are many', () => {
  const db = new Database(':memory:')
  const statements = new Statements(db)
  assert.equal(statements.get('SELECT 1'), statements.get('SELECT 1'))
  const first = statements.get('SELECT 1')
  for (let i = 0; i < 600; i++) statements.get(`SELECT ${i + 2}`)
  assert.notEqual(statements.get('SELECT 1'), first)
})

test('queries return rows, change counts and returned columns; an SQL error rejects', async () => {
  const raw = new Database(':memory:')
  raw.exec('CREATE TABLE t (id INTEGER PRIMARY KEY, text TEXT NOT NULL) STRICT')
  const db = sqliteConnection<{ t: { id: number; text: string } }>(raw)
  const inserted = await db
    .insertInto('t')
    .values([
      { id: 1, text: 'a' },
      { id: 2, text: 'b' },
    ])
    .returning('id')
    .execute()
  assert.deepEqual(inserted, [{ id: 1 }, { id: 2 }])
  const changed = await db
    .updateTable('t')
    .set({ text: 'c' })
    .where('id', '>', 0)
    .executeTakeFirst()
  assert.equal(changed.numUpdatedRows, 2n)
  await assert.rejects(db.insertInto('t').values({ id: 1, text: 'again' }).execute(), /UNIQUE/)
  await assert.rejects(
    db.transaction().execute(async () => {}),
    /belong to the writer/,
  )
})

test('a statement is planned once, however often it runs and whatever values are bound', async () => {
  const raw = new Database(':memory:')
  raw.exec(
    'CREATE TABLE t (id TEXT PRIMARY KEY, place TEXT NOT NULL, n INTEGER NOT NULL, UNIQUE (place, n)) STRICT',
  )
  const db = sqliteConnection<{ t: { id: string; place: string; n: number } }>(raw)
  await db
    .insertInto('t')
    .values([
      { id: 'a', place: 'x', n: 0 },
      { id: 'b', place: 'x', n: 1 },
      { id: 'c', place: 'y', n: 1 },
    ])
    .execute()
  const list = (place: string) =>
    db
      .selectFrom('t')
      .select('id')
      .where('place', '=', place)
      .where('id', '!=', 'b')
      .orderBy('n', 'desc')
      .execute()
  assert.deepEqual(await list('y'), [{ id: 'c' }])
  const replans = await countPlans(async () => {
    for (const place of ['x', 'y', 'x']) await list(place)
  })
  assert.equal(replans, 0)
  const boundStatement = raw.prepare('SELECT id FROM t WHERE place = ? ORDER BY n DESC')
  assert.ok(
    (await countPlans(async () => ['x', 'y', 'x'].forEach((place) => boundStatement.all(place)))) >
      1,
  ) // the replanning that `+?` prevents; once this fails, `+?` is no longer needed
})

test('partial indexes are used for the values that they cover', () => {
  const raw = new Database(':memory:')
  migrate(raw, migrations())
  const db = sqliteConnection<Record<string, Record<string, string | number>>>(raw)
  const indexes = raw
    .prepare(
      "SELECT name, tbl_name AS of, sql FROM sqlite_master WHERE type = 'index' AND sql LIKE '% WHERE %'",
    )
    .all() as { name: string; of: string; sql: string }[]
  let checked = 0
  for (const { name, of, sql } of indexes) {
    const parts = sql
      .split(' WHERE ')[1]!
      .split(' AND ')
      .map((part) => /^(\w+) (=|<>) (?:'(.*)'|(\d+))$/.exec(part))
    if (parts.includes(null)) continue // a condition without constants: IS NULL, a list, two columns
    let query = db.selectFrom(of).select((eb) => eb.fn.countAll().as('n'))
    for (const [, column, operator, text, number] of parts as RegExpExecArray[])
      query = query.where(column!, operator as '=', text ?? Number(number))
    assert.doesNotThrow(
      () =>
        raw.prepare(query.compile().sql.replace(`from "${of}"`, `from "${of}" indexed by ${name}`)),
      name,
    ) // otherwise SQLite fails with "no query solution"
    checked++
  }
  assert.ok(checked > 20, `${checked}`)
})

test('reads run on the writing connection between transactions, see only committed data and cannot write', async (t) => {
  const { dir, remove } = scratch()
  t.after(remove)
  const write = new Database(join(dir, 'x.db'))
  write.pragma('journal_mode = WAL')
  write.exec('CREATE TABLE t (id INTEGER PRIMARY KEY) STRICT; INSERT INTO t VALUES (1)')
  const read = new Database(join(dir, 'x.db'), { readonly: true })
  t.after(() => [read.close(), write.close()])
  const db = readOnlyConnection<{ t: { id: number } }>(write, read)
  const ids = () => db.selectFrom('t').select('id').execute()
  const isOnWriting = async () =>
    (await db.one<{ n: number }>('select total_changes() as n'))!.n > 0
  assert.ok(await isOnWriting())
  assert.deepEqual(await ids(), [{ id: 1 }])
  write.exec('BEGIN IMMEDIATE; INSERT INTO t VALUES (2)')
  assert.ok(!(await isOnWriting()))
  assert.deepEqual(await ids(), [{ id: 1 }])
  write.exec('COMMIT')
  assert.ok(await isOnWriting())
  assert.deepEqual(await ids(), [{ id: 1 }, { id: 2 }])
  for (const attempt of [
    () => db.insertInto('t').values({ id: 3 }).execute(),
    () => db.insertInto('t').values({ id: 3 }).returning('id').execute(),
    () => db.run('DELETE FROM t'),
  ])
    await assert.rejects(attempt(), /readonly database/)
  await db.run('BEGIN')
  assert.ok(!write.inTransaction)
  assert.deepEqual(await ids(), [{ id: 1 }, { id: 2 }])
})

/**
 * Counts how often SQLite plans statements during an action: better-sqlite3 then rebuilds the function that creates a
 * statement's rows.
 */
async function countPlans(action: () => Promise<void>): Promise<number> {
  const original = globalThis.Function
  let count = 0
  globalThis.Function = new Proxy(original, {
    apply: (target, self, args) => {
      count++
      return Reflect.apply(target, self, args)
    },
  })
  await action().finally(() => (globalThis.Function = original))
  return count
}

import assert from 'node:assert/strict'
import { test } from 'node:test'
import { DummyDriver, Kysely, PostgresAdapter, PostgresIntrospector, sql } from 'kysely'
import { PostgresCompiler } from './compiler.ts'

const db = new Kysely<{ t: { id: string; at: number; due_at: number | null; unread: number } }>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresCompiler(),
  },
})
const from = db.selectFrom('t').select('id')

test('an empty list matches nothing', () => {
  assert.equal(
    from.where('id', 'in', []).compile().sql,
    `select "id" from "t" where "id" = any('{}')`,
  )
  assert.equal(
    from.where('id', 'not in', []).compile().sql,
    `select "id" from "t" where "id" <> all('{}')`,
  )
  assert.match(from.where('id', 'in', ['a']).compile().sql, /"id" in \(\$1\)$/)
})

test('LIKE ignores case, as on SQLite', () => {
  assert.match(from.where('id', 'like', 'a%').compile().sql, /"id" ilike \$1$/)
  assert.match(from.where('id', 'not like', 'a%').compile().sql, /"id" not ilike \$1$/)
  assert.match(from.where(sql<boolean>`id like ${'a%'}`).compile().sql, /id ilike \$1$/)
})

test('NULL sorts first, as on SQLite, and indexes serve columns without NULL', () => {
  const orderedSql = (column: string, direction: 'asc' | 'desc') =>
    from.orderBy(sql.ref(column), direction).compile().sql
  assert.match(from.orderBy('due_at').compile().sql, /order by "due_at" nulls first$/)
  assert.match(from.orderBy('due_at', 'desc').compile().sql, /order by "due_at" desc nulls last$/)
  assert.match(from.orderBy('id', 'desc').compile().sql, /order by "id" desc$/)
  assert.match(orderedSql('due_at', 'desc'), /desc nulls last$/)
})

test('limits and conditions of partial indexes are literals', () => {
  const { sql: text, parameters } = from.where('unread', '=', 1).limit(5).compile()
  assert.equal(text, 'select "id" from "t" where "unread" = 1 limit 5')
  assert.deepEqual(parameters, [])
})

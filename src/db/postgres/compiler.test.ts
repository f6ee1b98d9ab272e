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
const selectIds = db.selectFrom('t').select('id')

test('an empty list matches nothing', () => {
  assert.equal(
    selectIds.where('id', 'in', []).compile().sql,
    `select "id" from "t" where "id" = any('{}')`,
  )
  assert.equal(
    selectIds.where('id', 'not in', []).compile().sql,
    `select "id" from "t" where "id" <> all('{}')`,
  )
  assert.match(selectIds.where('id', 'in', ['a']).compile().sql, /"id" in \(\$1\)$/)
})

test('LIKE ignores case, as on SQLite', () => {
  assert.match(selectIds.where('id', 'like', 'a%').compile().sql, /"id" ilike \$1$/)
  assert.match(selectIds.where('id', 'not like', 'a%').compile().sql, /"id" not ilike \$1$/)
  assert.match(selectIds.where(sql<boolean>`id like ${'a%'}`).compile().sql, /id ilike \$1$/)
})

test('NULL sorts first, as on SQLite; columns without NULL keep the default order, so that indexes apply', () => {
  const orderedSql = (column: string, direction: 'asc' | 'desc') =>
    selectIds.orderBy(sql.ref(column), direction).compile().sql
  assert.match(selectIds.orderBy('due_at').compile().sql, /order by "due_at" nulls first$/)
  assert.match(
    selectIds.orderBy('due_at', 'desc').compile().sql,
    /order by "due_at" desc nulls last$/,
  )
  assert.match(selectIds.orderBy('id', 'desc').compile().sql, /order by "id" desc$/)
  assert.match(orderedSql('due_at', 'desc'), /desc nulls last$/)
})

test('limits and conditions of partial indexes are literals', () => {
  const { sql: text, parameters } = selectIds.where('unread', '=', 1).limit(5).compile()
  assert.equal(text, 'select "id" from "t" where "unread" = 1 limit 5')
  assert.deepEqual(parameters, [])
})

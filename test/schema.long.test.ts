import assert from 'node:assert/strict'
import { test } from 'node:test'
import { PGlite } from '@electric-sql/pglite'
import Database from 'better-sqlite3'
import { tableColumns, tablesOf } from '../src/db/schema-shape.ts'
import { portableSchema, sqliteAdditions, strict } from '../src/db/schema.ts'

function freshDatabase(sql = strict(portableSchema()) + sqliteAdditions()): Database.Database {
  const db = new Database(':memory:')
  db.exec(sql)
  return db
}

test('schema.sql loads in PostgreSQL byte for byte, with the same columns', async () => {
  const sqlite = freshDatabase(strict(portableSchema()))
  const postgres = await PGlite.create()
  try {
    await postgres.exec(portableSchema())
    const { rows } = await postgres.query<{
      table_name: string
      column_name: string
      data_type: string
      is_nullable: string
    }>(
      "SELECT table_name, column_name, data_type, is_nullable FROM information_schema.columns WHERE table_schema = 'public' ORDER BY table_name, ordinal_position",
    )
    const types: Record<string, string> = {
      text: 'TEXT',
      bigint: 'INTEGER',
      integer: 'INTEGER',
      'double precision': 'REAL',
    }
    const there = rows.map(
      (row) =>
        `${row.table_name}.${row.column_name} ${types[row.data_type] ?? row.data_type} ${row.is_nullable === 'NO'}`,
    )
    const here = tablesOf(sqlite).flatMap(({ name }) =>
      tableColumns(sqlite, name).map(
        (tableColumn) =>
          `${name}.${tableColumn.name} ${tableColumn.type} ${tableColumn.notnull === 1 || tableColumn.pk > 0}`,
      ),
    )
    assert.deepEqual(there.sort(), here.sort())
    const { rows: indexes } = await postgres.query<{ indexname: string }>(
      "SELECT indexname FROM pg_indexes WHERE schemaname = 'public'",
    )
    const indexNames = sqlite
      .prepare("SELECT name FROM sqlite_schema WHERE type = 'index' AND sql IS NOT NULL")
      .pluck()
      .all() as string[]
    assert.deepEqual(
      indexNames.filter((name) => !indexes.some((index) => index.indexname === name)),
      [],
    )
  } finally {
    await postgres.close()
  }
})

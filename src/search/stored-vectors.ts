import type Database from 'better-sqlite3'
import { Statements } from '../db/dialect.ts'
import type { WriteSteps } from './slices.ts'
import type { EmbeddedText } from './worker/protocol.ts'

/** Maximum rows deleted by one statement. */
export const maxDeleted = 50

interface StoreCallbacks {
  /**
   * True if the text has not changed since its vectors were computed; checked before the first step and before the
   * last.
   */
  isCurrent?: () => boolean
  /** Called in the last step, to remove data that is not needed once the text has its vectors. */
  whenStored?: () => void
}

const statements = new WeakMap<Database.Database, Statements>()

/** A prepared statement, cached per connection: preparing one takes longer than storing a short text. */
export function prepareCached(db: Database.Database, sql: string): Database.Statement {
  const cached = statements.get(db) ?? new Statements(db)
  statements.set(db, cached)
  return cached.get(sql)
}

const deleteSome = `delete from search_vectors where doc = :doc and space = :space and n in (select n from search_vectors where doc = :doc and space = :space order by n limit ${maxDeleted})`
const insertOne =
  'insert into search_vectors (space, doc, n, start, length, vector, scale) select ?, ?, ?, ?, ?, ?, ? where exists (select 1 from search_docs where rowid_ = ?)'

/** Replaces a text's vectors in a space, the first passage last: if its vector exists, all do. */
export function* storeText(
  write: Database.Database,
  space: string,
  { doc, passages = [] }: EmbeddedText,
  { isCurrent = () => true, whenStored = () => {} }: StoreCallbacks = {},
): WriteSteps {
  if (!isCurrent()) return
  yield* repeatDelete(prepareCached(write, deleteSome), { doc, space })
  const insert = prepareCached(write, insertOne)
  for (const [n, { start, length, bytes, scale }] of [...passages.entries()].reverse()) {
    if (n === 0 && !isCurrent()) return
    insert.run(space, doc, n, start, length, toBuffer(bytes), scale, doc)
    if (n > 0) yield
  }
  whenStored()
  yield
}

/** Deletes a space with its vectors and words. */
export function* deleteSpace(write: Database.Database, space: string): WriteSteps {
  for (const statement of [
    `delete from search_vectors where (doc, space, n) in (select doc, space, n from search_vectors where space = :space limit ${maxDeleted})`,
    `delete from search_terms where (space, stem) in (select space, stem from search_terms where space = :space limit ${maxDeleted})`,
  ])
    yield* repeatDelete(write.prepare(statement), { space })
  yield write.prepare('delete from search_spaces where id = ?').run(space)
}

/** Runs a statement that deletes `maxDeleted` rows until it finds no more. */
export function* repeatDelete(statement: Database.Statement, values: object = {}): WriteSteps {
  let deleted: number
  do {
    deleted = statement.run(values).changes
    yield
  } while (deleted === maxDeleted)
}

/** The bytes of a vector for the database. */
export function toBuffer(bytes: Int8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

import type Database from 'better-sqlite3'
import { Statements } from '../db/dialect.ts'
import type { Steps } from './slices.ts'
import type { EmbeddedText } from './worker/protocol.ts'

/** Maximum rows deleted by one statement. */
export const maxDeleted = 50

interface Checks {
  /**
   * True if the text has not changed since its vectors were computed; checked before the first step and before the
   * last.
   */
  isCurrent?: () => boolean
  /** Part of the last step: removes data that the text no longer needs once it has its vectors. */
  whenStored?: () => void
}

const statements = new WeakMap<Database.Database, Statements>()

/** A prepared statement, cached per connection: preparing one takes longer than storing a short text. */
export function preparedOn(db: Database.Database, sql: string): Database.Statement {
  const cached = statements.get(db) ?? new Statements(db)
  statements.set(db, cached)
  return cached.get(sql)
}

const deleteSome = `delete from search_vectors where doc = :doc and space = :space and n in (select n from search_vectors where doc = :doc and space = :space order by n limit ${maxDeleted})`
const insertOne =
  'insert into search_vectors (space, doc, n, start, length, vector, scale) select ?, ?, ?, ?, ?, ?, ? where exists (select 1 from search_docs where rowid_ = ?)'

/** Replaces a text's vectors in a space, first passage last: if that one exists, all do. */
export function* storedText(
  write: Database.Database,
  space: string,
  { doc, passages = [] }: EmbeddedText,
  { isCurrent = () => true, whenStored = () => {} }: Checks = {},
): Steps {
  if (!isCurrent()) return
  yield* repeated(preparedOn(write, deleteSome), { doc, space })
  const insert = preparedOn(write, insertOne)
  for (const [n, { start, length, bytes, scale }] of [...passages.entries()].reverse()) {
    if (n === 0 && !isCurrent()) return
    insert.run(space, doc, n, start, length, bufferOf(bytes), scale, doc)
    if (n > 0) yield
  }
  whenStored()
  yield
}

/** Deletes a space with its vectors and words. */
export function* droppingSpace(write: Database.Database, space: string): Steps {
  for (const statement of [
    `delete from search_vectors where (doc, space, n) in (select doc, space, n from search_vectors where space = :space limit ${maxDeleted})`,
    `delete from search_terms where (space, stem) in (select space, stem from search_terms where space = :space limit ${maxDeleted})`,
  ])
    yield* repeated(write.prepare(statement), { space })
  yield write.prepare('delete from search_spaces where id = ?').run(space)
}

/** Runs a statement that deletes `maxDeleted` rows until it finds no more. */
export function* repeated(statement: Database.Statement, values: object = {}): Steps {
  let deleted: number
  do {
    deleted = statement.run(values).changes
    yield
  } while (deleted === maxDeleted)
}

/** The bytes of a vector for the database. */
export function bufferOf(bytes: Int8Array): Buffer {
  return Buffer.from(bytes.buffer, bytes.byteOffset, bytes.byteLength)
}

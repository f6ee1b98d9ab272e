import { CompiledQuery, sql, type Kysely } from 'kysely'
import { chunks } from '../kernel/chunks.ts'
import { isAscii } from '../kernel/text/text.ts'
import { separateIndexFile, type IndexColumns } from '../db/index-file.ts'
import type { Tables } from '../db/tables.ts'
import { indexLanguage } from './languages/forms.ts'
import { indexText } from './scripts/index-text.ts'
import type { SearchLine, SearchText, TextIndex } from '../records/search-text.ts'

/** Texts per insert statement. */
const textsPerInsert = 250

// SQL texts, since building these queries would take longer than running them.
const addDoc =
  'insert into search_docs (rowid_, ref, item_type, item_id, part, org_id, container, title, body, at) values ((select coalesce(max(rowid_), 0) + 1 from search_docs), ?, ?, ?, ?, ?, ?, ?, ?, ?) returning rowid_'
const addWords = 'insert into search_fts (rowid, title, body, acl) values (?, ?, ?, ?)'
const deleteDoc = 'delete from search_docs where ref = ? returning rowid_'
const deleteWords = 'delete from search_fts where rowid = ?'

/** The full-text index. Its rows change in the same transaction as the rows they represent. */
export class SearchIndex implements TextIndex {
  /** Adds the text of a new row. */
  async add(db: Kysely<Tables>, ref: string, orgId: string, text: SearchText): Promise<void> {
    const { item_type, item_id, part, container, title, body, at } = text
    const [doc] = await queryRows<{ rowid_: number }>(
      db,
      addDoc,
      ...[ref, item_type, item_id, part, orgId, container, title, body, at],
    )
    if (doc && hasWordIndex(db)) await queryRows(db, addWords, doc.rowid_, ...indexColumns(text))
  }

  /** Adds many texts of one row, each with its own `ref`, faster than one by one. */
  async addAll(db: Kysely<Tables>, orgId: string, texts: readonly SearchLine[]): Promise<void> {
    const last = await db
      .selectFrom('search_docs')
      .select((eb) => eb.fn.max('rowid_').as('last'))
      .executeTakeFirst()
    let next = Number(last?.last ?? 0) + 1
    for (const batch of chunks(texts, textsPerInsert)) {
      const numbered = batch.map((text) => ({ ...text, rowid_: next++ }))
      const docs = numbered.flatMap(
        ({ rowid_, ref, item_type, item_id, part, container, title, body, at }) => [
          rowid_,
          ref,
          item_type,
          item_id,
          part,
          orgId,
          container,
          title,
          body,
          at,
        ],
      )
      await db.executeQuery(
        CompiledQuery.raw(
          `insert into search_docs (rowid_, ref, item_type, item_id, part, org_id, container, title, body, at) values ${placeholderRows(numbered.length, 10)}`,
          docs,
        ),
      )
      if (!hasWordIndex(db)) continue
      const words = numbered.flatMap((text) => [text.rowid_, ...indexColumns(text)])
      await db.executeQuery(
        CompiledQuery.raw(
          `insert into search_fts (rowid, title, body, acl) values ${placeholderRows(numbered.length, 4)}`,
          words,
        ),
      )
    }
  }

  /** Replaces the text of a row. */
  async put(db: Kysely<Tables>, ref: string, orgId: string, text: SearchText): Promise<void> {
    await this.#drop(db, ref)
    await this.add(db, ref, orgId, text)
  }

  /** Removes the texts of a row and of its parts. */
  async remove(db: Kysely<Tables>, ref: string): Promise<void> {
    const rowids = sql`select rowid_ from search_docs where ref = ${ref} union select rowid_ from search_docs where item_id = ${ref} union select rowid_ from search_docs where ref > ${`${ref}:`} and ref < ${`${ref};`}`
    if (hasWordIndex(db)) await sql`delete from search_fts where rowid in (${rowids})`.execute(db)
    await sql`delete from search_docs where rowid_ in (${rowids})`.execute(db)
  }

  /** Moves an item's texts, and those of its parts, to another container. */
  async moveToContainer(db: Kysely<Tables>, itemId: string, container: string): Promise<void> {
    if (hasWordIndex(db)) await moveWords(db, itemId, container)
    await db
      .updateTable('search_docs')
      .set({ container })
      .where('item_id', '=', itemId)
      .where('container', '<>', container)
      .execute()
  }

  async #drop(db: Kysely<Tables>, ref: string): Promise<void> {
    const [old] = await queryRows<{ rowid_: number }>(db, deleteDoc, ref)
    if (old && hasWordIndex(db)) await queryRows(db, deleteWords, old.rowid_)
  }
}

async function queryRows<R>(
  db: Kysely<Tables>,
  text: string,
  ...values: readonly (string | number)[]
): Promise<R[]> {
  return (await db.executeQuery<R>(CompiledQuery.raw(text, [...values]))).rows
}

/** True if the word index is in this database; otherwise it is in a separate file, updated from the texts. */
function hasWordIndex(db: Kysely<Tables>): boolean {
  return separateIndexFile(db) === undefined
}

async function moveWords(db: Kysely<Tables>, itemId: string, container: string): Promise<void> {
  const texts = await db
    .selectFrom('search_docs')
    .select(['rowid_', 'item_type', 'title', 'body'])
    .where('item_id', '=', itemId)
    .where('container', '<>', container)
    .execute()
  for (const text of texts) await replaceWords(db, { ...text, container })
}

async function replaceWords(
  db: Kysely<Tables>,
  text: Parameters<IndexColumns>[0] & { rowid_: number },
): Promise<void> {
  await queryRows(db, deleteWords, text.rowid_)
  await queryRows(db, addWords, text.rowid_, ...indexColumns(text))
}

/** `search_todo.provider` of texts indexed by an earlier version. */
const outdatedMarker = 'words'
const maxOutdatedTexts = 50
const maxOutdatedBytes = 500_000

/** Reindexes some of the texts that an earlier version tokenized by other rules. Returns whether there are more. */
export async function reindexOutdated(db: Kysely<Tables>): Promise<boolean> {
  const due = await db
    .selectFrom('search_todo')
    .leftJoin('search_docs', 'search_docs.rowid_', 'search_todo.doc')
    .select(['search_todo.doc', sql<number>`octet_length(search_docs.body)`.as('bytes')])
    .where('search_todo.provider', '=', outdatedMarker)
    .orderBy('search_todo.version')
    .limit(maxOutdatedTexts)
    .execute()
  let [done, bytes] = [0, 0]
  for (const { doc, bytes: size } of due) {
    if (bytes > maxOutdatedBytes) break
    done++
    bytes += size ?? 0
    const text = await db
      .selectFrom('search_docs')
      .select(['rowid_', 'item_type', 'container', 'title', 'body'])
      .where('rowid_', '=', doc)
      .executeTakeFirst()
    if (text && hasWordIndex(db) && !isIndexedUnchanged(text)) await replaceWords(db, text)
    await db
      .deleteFrom('search_todo')
      .where('doc', '=', doc)
      .where('provider', '=', outdatedMarker)
      .execute()
  }
  return due.length === maxOutdatedTexts || done < due.length
}

/** True if a text is indexed unchanged: no version tokenized such a text differently. */
function isIndexedUnchanged({ title, body }: { title: string; body: string }): boolean {
  return isAscii(title) && isAscii(body) && indexLanguage(title, body) === 'none'
}

function placeholderRows(count: number, columns: number): string {
  return Array.from(
    { length: count },
    () => `(${Array.from({ length: columns }, () => '?').join(', ')})`,
  ).join(', ')
}

/** A text in the form of the full-text index. */
export const indexColumns: IndexColumns = ({ item_type, container, title, body }) => {
  const language = indexLanguage(title, body)
  return [indexText(title, language), indexText(body, language), aclTokensOf(item_type, container)]
}

/**
 * Access tokens of a text in the index: its container, its type in that container, its type. A search uses those that
 * match the fewest texts of others.
 */
export function aclTokensOf(type: string, container: string): string {
  return `${aclToken(container)} ${aclToken(container, type)} ${aclToken(undefined, type)}`
}

/** A container, its texts of one type, or all texts of a type, as one word that the tokenizer does not split. */
export function aclToken(container: string | undefined, type = ''): string {
  return `${type.replaceAll('_', '')}${container === undefined ? '' : `c${container.replace(/[^0-9a-z]/g, '')}`}`
}

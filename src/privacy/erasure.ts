// Erases the traces of an item besides its own row: its history, the logged details of calls about it, and data that
// modules keep about it. The chain of the call log stays valid: it covers the hash of the erased parts.
import { sqliteConnection } from '../db/dialect.ts'
import { separateIndexFile } from '../db/index-file.ts'
import { sql, type Kysely, type SqlBool } from 'kysely'
import { escapeLike, like, anyOf } from '../db/text-conditions.ts'
import { chunks } from '../kernel/chunks.ts'
import type { Tables } from '../db/tables.ts'
import { SearchIndex } from '../search/index.ts'
import { ExtensionPoint } from '../records/extension-point.ts'
import type { Id } from '../kernel/ids.ts'

/** Items to be erased. */
export interface Forgotten {
  org_id: string
  /** Ids of the items. */
  ids: readonly string[]
  /**
   * Texts that identify them: addresses, numbers, a full name. Too common ones also remove unrelated details from the
   * call log.
   */
  words: readonly string[]
}

const search = new SearchIndex()

/** Number of rows from which something was erased, by place. */
export type Counts = Record<string, number>

/** Shorter texts are too ambiguous. */
const minWordLength = 5

/** Items whose traces are erased from a module's data. */
export interface Erased extends Forgotten {
  /** The module's own rows that are erased along with the items. */
  own: readonly string[]
}

/** Data that a module keeps about items of other modules; the module registers it. */
export interface Erasure {
  /** Name of the data in the counts. */
  name: string
  /** Rows that are erased along with items, with every trace of them. */
  along?: (db: Kysely<Tables>, items: Forgotten) => Promise<string[]>
  /** Removes them, or removes the text from them. @returns the number of rows */
  erase: (db: Kysely<Tables>, items: Erased) => Promise<number>
}

export const erasures = new ExtensionPoint<Erasure>()

/** Removes every trace; inside a job of the writer. The counts describe what was removed. */
export async function forget(db: Kysely<Tables>, items: Forgotten): Promise<Counts> {
  const pendingErasures = []
  for (const { name, along, erase } of erasures.entries)
    pendingErasures.push({ name, erase, own: (await along?.(db, items)) ?? [] })
  const ids = [...items.ids, ...pendingErasures.flatMap((item) => item.own)]
  const forgotten = {
    ...items,
    ids,
    words: items.words.filter((word) => word.length >= minWordLength),
  }
  const calls = await callsAbout(db, forgotten)
  const counts: Counts = {
    history: await forgetHistory(
      db,
      forgotten,
      calls.map((call) => call.id),
    ),
    call_details: await forgetDetails(
      db,
      calls.filter((call) => call.detailed).map((call) => call.id),
    ),
    repeated_answers: await forgetAnswers(db, forgotten),
  }
  for (const id of ids) await search.remove(db, id)
  for (const { name, erase, own } of pendingErasures)
    counts[name] = await erase(db, { ...forgotten, own })
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0))
}

/** Counts the rows that a statement changed or deleted. */
export async function count(query: {
  executeTakeFirstOrThrow(): Promise<{ numDeletedRows?: bigint; numUpdatedRows?: bigint }>
}): Promise<number> {
  const { numDeletedRows, numUpdatedRows } = await query.executeTakeFirstOrThrow()
  return Number(numDeletedRows ?? numUpdatedRows ?? 0)
}

/** Whether a column holds one of the ids. */
export function isAmong(column: string, ids: readonly string[]) {
  return sql<SqlBool>`${sql.ref(column)} in (${sql.join([...ids, ''])})`
}

/** True if one of the JSON columns contains an id or a text. */
export function tells(
  columns: readonly string[],
  { ids, words }: Pick<Forgotten, 'ids' | 'words'>,
) {
  const texts = [...ids, ...words.flatMap(inJson)]
  const likes = columns.flatMap((column) =>
    texts.map((text) => like(sql.ref(column), `%${escapeLike(text)}%`)),
  )
  return anyOf(likes)
}

/** A text as escaped in JSON; SQLite ignores the case of the 26 letters only. */
function inJson(word: string): string[] {
  return [
    ...new Set(
      [word, word.toLowerCase(), word.toUpperCase()].map((name) =>
        JSON.stringify(name).slice(1, -1),
      ),
    ),
  ]
}

/** Calls that named or touched the items, or contain one of the texts. Scans the organization's whole log, once. */
async function callsAbout(
  db: Kysely<Tables>,
  forgotten: Forgotten,
): Promise<{ id: string; detailed: boolean }[]> {
  const rows = await db
    .selectFrom('calls')
    .select(['id', sql<number>`details_json is not null`.as('detailed')])
    .where('org_id', '=', forgotten.org_id as Id<'orgs'>)
    .where((eb) =>
      eb.or([
        eb(
          'id',
          'in',
          db
            .selectFrom('changes')
            .select((from) => from.ref('call_id').$castTo<Id<'calls'>>().as('call_id'))
            .where('item_id', 'in', [...forgotten.ids]),
        ),
        tells(['items_json'], { ...forgotten, words: [] }),
        tells(['details_json'], forgotten),
      ]),
    )
    .execute()
  return rows.map((row) => ({ id: row.id, detailed: row.detailed === 1 }))
}

async function forgetDetails(db: Kysely<Tables>, ids: readonly string[]): Promise<number> {
  let n = 0
  for (const batch of chunks(ids, 500))
    n += await count(
      db
        .updateTable('calls')
        .set({ details_json: null, salt: null })
        .where('id', 'in', batch as Id<'calls'>[]),
    )
  return n
}

/** The history of the items, and parts of other items' history that the same calls changed and that mention them. */
async function forgetHistory(
  db: Kysely<Tables>,
  forgotten: Forgotten,
  calls: readonly string[],
): Promise<number> {
  const blank = { fields_json: '[]', images_json: '[]' }
  let n = await count(
    db
      .updateTable('changes')
      .set(blank)
      .where('item_id', 'in', [...forgotten.ids]),
  )
  for (let i = 0; i < calls.length && forgotten.words.length > 0; i += 500) {
    n += await count(
      db
        .updateTable('changes')
        .set(blank)
        .where('call_id', 'in', calls.slice(i, i + 500))
        .where('item_id', 'not in', [...forgotten.ids])
        .where(tells(['fields_json', 'images_json'], { ...forgotten, ids: [] })),
    )
  }
  return n
}

/** A repeated request is still not executed again; the answer is that its result was erased. */
async function forgetAnswers(db: Kysely<Tables>, erased: Forgotten): Promise<number> {
  const people = db
    .selectFrom('users')
    .select('id')
    .where('org_id', '=', erased.org_id as Id<'orgs'>)
  return count(
    db
      .updateTable('replays')
      .set({ answer_json: '{"erased":true}' })
      .where('actor_id', 'in', people)
      .where(tells(['answer_json'], erased)),
  )
}

/**
 * Does a batch of the work that removes the words of deleted texts from the index: they stay in its segments until
 * those are merged. Inside a job of the writer; `first` starts it. @returns whether there is more
 */
export async function forgetWords(db: Kysely<Tables>, first: boolean): Promise<boolean> {
  const index = separateIndexFile(db)
  if (!index) return mergeWords(db, first)
  await index.refresh()
  const words = sqliteConnection<Tables>(index.raw.write)
  return index.writer.run(() => mergeWords(words, first))
}

async function mergeWords(db: Kysely<Tables>, first: boolean): Promise<boolean> {
  const before = await totalChanges(db)
  await sql`insert into search_fts (search_fts, rank) values ('merge', ${first ? -64 : 64})`.execute(
    db,
  )
  return (await totalChanges(db)) - before > 1
}

async function totalChanges(db: Kysely<Tables>): Promise<number> {
  const { rows } = await sql<{ n: number }>`select total_changes() as n`.execute(db)
  return rows[0]!.n
}

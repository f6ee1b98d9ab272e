// What is left of an item beside its own row when it is erased for good: its history, and what was written down of calls, notices and
// runs that were about it. The chain of the call log stays whole: it covers the hash of what is taken out.
import { sql, type Kysely, type SqlBool } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { SearchIndex } from '../search/index.ts'
import { forgetKnown, knownOf } from './forget-knowledge.ts'
import type { Id } from './ids.ts'

/** What is to be forgotten. */
export interface Forgotten {
  org_id: string
  /** Ids of the items. */
  ids: readonly string[]
  /** Texts by which they are known anywhere: addresses, numbers, a full name. Too common ones take details of the call log along that had nothing to do with it. */
  words: readonly string[]
}

const search = new SearchIndex()

/** How many rows something was taken out of, by where. */
export type Counts = Record<string, number>

/** Shorter texts say too little about whose they are. */
const shortest = 5

/** Takes every trace out; inside a job of the writer. What was counted says what there was. */
export async function forget(db: Kysely<Tables>, items: Forgotten): Promise<Counts> {
  const known = await knownOf(db, items.org_id, items.ids)
  const of = { ...items, ids: [...items.ids, ...known] }
  const words = of.words.filter((word) => word.length >= shortest)
  const calls = await callsAbout(db, of, words)
  const counts: Counts = {
    history: await forgetHistory(
      db,
      of,
      calls.map((one) => one.id),
      words,
    ),
    webhook_deliveries: await forgetDeliveries(db, of),
    call_details: await forgetDetails(
      db,
      calls.filter((one) => one.detailed).map((one) => one.id),
    ),
    repeated_answers: await forgetAnswers(db, of, words),
    approvals: await forgetApprovals(db, of, words),
    notifications: await count(
      db
        .deleteFrom('notifications')
        .where('org_id', '=', of.org_id as Id<'orgs'>)
        .where(anyOf('item_id', of.ids)),
    ),
    reminders: await count(
      db
        .deleteFrom('reminders')
        .where('org_id', '=', of.org_id as Id<'orgs'>)
        .where(anyOf('item_id', of.ids)),
    ),
    automation_runs: await forgetRuns(db, of, words),
  }
  for (const id of of.ids) await search.remove(db, id)
  const knowledge = await forgetKnown(db, known)
  if (knowledge > 0) counts.knowledge = knowledge
  return Object.fromEntries(Object.entries(counts).filter(([, n]) => n > 0))
}

async function count(query: {
  executeTakeFirstOrThrow(): Promise<{ numDeletedRows?: bigint; numUpdatedRows?: bigint }>
}): Promise<number> {
  const { numDeletedRows, numUpdatedRows } = await query.executeTakeFirstOrThrow()
  return Number(numDeletedRows ?? numUpdatedRows ?? 0)
}

function anyOf(column: string, ids: readonly string[]) {
  return sql<SqlBool>`${sql.ref(column)} in (${sql.join([...ids, ''])})`
}

/** Whether one of the columns, which hold JSON, has an id or a text in it. */
function tells(
  columns: readonly string[],
  { ids }: Pick<Forgotten, 'ids'>,
  words: readonly string[],
) {
  const texts = [...ids, ...words.flatMap(inJson)]
  const likes = columns.flatMap((column) =>
    texts.map(
      (text) =>
        sql<SqlBool>`${sql.ref(column)} like ${`%${text.replace(/[\\%_]/g, '\\$&')}%`} escape '\\'`,
    ),
  )
  return sql<SqlBool>`(${sql.join(likes, sql` or `)})`
}

/** A text as it stands inside of JSON; SQLite ignores the case of the 26 letters only. */
function inJson(word: string): string[] {
  return [
    ...new Set(
      [word, word.toLowerCase(), word.toUpperCase()].map((one) => JSON.stringify(one).slice(1, -1)),
    ),
  ]
}

/** Calls that named or touched the items, or that say one of the texts. Reads the whole log of the organization, once. */
async function callsAbout(
  db: Kysely<Tables>,
  of: Forgotten,
  words: readonly string[],
): Promise<{ id: string; detailed: boolean }[]> {
  const rows = await db
    .selectFrom('calls')
    .select(['id', sql<number>`details_json is not null`.as('detailed')])
    .where('org_id', '=', of.org_id as Id<'orgs'>)
    .where((eb) =>
      eb.or([
        eb(
          'id',
          'in',
          db
            .selectFrom('changes')
            .select('call_id')
            .where('item_id', 'in', [...of.ids]) as never,
        ),
        tells(['items_json'], of, []),
        tells(['details_json'], of, words),
      ]),
    )
    .execute()
  return rows.map((row) => ({ id: row.id, detailed: row.detailed === 1 }))
}

async function forgetDetails(db: Kysely<Tables>, ids: readonly string[]): Promise<number> {
  let n = 0
  for (let i = 0; i < ids.length; i += 500)
    n += await count(
      db
        .updateTable('calls')
        .set({ details_json: null, salt: null })
        .where('id', 'in', ids.slice(i, i + 500) as Id<'calls'>[]),
    )
  return n
}

/** The items' own history, and that of others which the same calls changed and which tells of them. */
async function forgetHistory(
  db: Kysely<Tables>,
  of: Forgotten,
  calls: readonly string[],
  words: readonly string[],
): Promise<number> {
  const blank = { fields_json: '[]', images_json: '[]' }
  let n = await count(
    db
      .updateTable('changes')
      .set(blank)
      .where('item_id', 'in', [...of.ids]),
  )
  for (let i = 0; i < calls.length && words.length > 0; i += 500) {
    n += await count(
      db
        .updateTable('changes')
        .set(blank)
        .where('call_id', 'in', calls.slice(i, i + 500))
        .where('item_id', 'not in', [...of.ids])
        .where(tells(['fields_json', 'images_json'], { ids: [] }, words)),
    )
  }
  return n
}

async function forgetDeliveries(db: Kysely<Tables>, of: Forgotten): Promise<number> {
  const about = db
    .selectFrom('changes')
    .select('seq')
    .where('item_id', 'in', [...of.ids])
  return count(
    db
      .updateTable('webhook_deliveries')
      .set({ payload_json: null })
      .where('org_id', '=', of.org_id as Id<'orgs'>)
      .where('change_seq', 'in', about)
      .where('payload_json', 'is not', null),
  )
}

/** A request that is repeated is still not made a second time; it is answered that what it made is gone. */
async function forgetAnswers(
  db: Kysely<Tables>,
  of: Forgotten,
  words: readonly string[],
): Promise<number> {
  const people = db
    .selectFrom('users')
    .select('id')
    .where('org_id', '=', of.org_id as Id<'orgs'>)
  return count(
    db
      .updateTable('replays')
      .set({ answer_json: '{"erased":true}' })
      .where('actor_id', 'in', people)
      .where(tells(['answer_json'], of, words)),
  )
}

/** A call that waits cannot be released without its arguments. */
async function forgetApprovals(
  db: Kysely<Tables>,
  of: Forgotten,
  words: readonly string[],
): Promise<number> {
  const about = db
    .selectFrom('approvals')
    .select(['id', 'state', 'owner_id', 'created_at'])
    .where('org_id', '=', of.org_id as Id<'orgs'>)
    .where(tells(['arguments_json', 'result_json'], of, words))
  const rows = await about.execute()
  for (const { id, state, owner_id, created_at } of rows) {
    const closed =
      state === 'pending'
        ? ({ state: 'denied', decided_at: created_at, decided_by: owner_id } as const)
        : {}
    await db
      .updateTable('approvals')
      .set({ arguments_json: '{}', result_json: null, ...closed })
      .where('id', '=', id)
      .execute()
  }
  return rows.length
}

/** Runs of automations that the items set off, or whose steps tell of them. */
async function forgetRuns(
  db: Kysely<Tables>,
  of: Forgotten,
  words: readonly string[],
): Promise<number> {
  const runs = await count(
    db
      .updateTable('automation_runs')
      .set({ payload_json: null, conditions_json: null })
      .where('org_id', '=', of.org_id as Id<'orgs'>)
      .where((eb) =>
        eb.or([
          eb('item_id', 'in', [...of.ids]),
          tells(['payload_json', 'conditions_json'], of, words),
        ]),
      ),
  )
  const bare = {
    params_json: null,
    value_json: null,
    input_json: '{}',
    output_json: null,
    error_json: null,
  }
  const of_run = db
    .selectFrom('automation_runs')
    .select('id')
    .where('org_id', '=', of.org_id as Id<'orgs'>)
    .where('item_id', 'in', [...of.ids])
  const steps = await count(
    db
      .updateTable('automation_steps')
      .set(bare)
      .where('org_id', '=', of.org_id as Id<'orgs'>)
      .where((eb) =>
        eb.or([
          eb('run_id', 'in', of_run),
          tells(
            ['items_json', 'params_json', 'value_json', 'input_json', 'output_json', 'error_json'],
            of,
            words,
          ),
        ]),
      ),
  )
  return runs + steps
}

/**
 * Does a piece of what takes the words of removed texts out of the index: they stay in its segments until those are merged. Inside a job of
 * the writer; `first` begins it. @returns whether there is more
 */
export async function forgetWords(db: Kysely<Tables>, first: boolean): Promise<boolean> {
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

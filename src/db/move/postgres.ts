import type pg from 'pg'
import { Refusal } from '../../kernel/refusal.ts'
import { RowDigest, type TableDigest } from './digest.ts'
import {
  columnList,
  selectAll,
  type MovedColumn,
  type MovedTable,
  type MovedRow,
  type MovedValue,
} from './tables.ts'

/** A move may take long: no timeouts for its statements and the pauses between them. */
export const disableTimeouts =
  'SET statement_timeout = 0; SET idle_in_transaction_session_timeout = 0'

/** Rows sent or fetched per statement; fewer if they are long. */
const maxRowsPerStatement = 1000
/** Characters of text sent per statement. */
const maxCharactersPerStatement = 4 * 2 ** 20

const exactParsers: Record<number, (text: string) => MovedValue> = { 20: BigInt, 701: Number }
const asText = (text: string): MovedValue => text
/** Parses values without loss for an exact comparison: BIGINT is not rounded. */
const exactTypes: pg.CustomTypesConfig = {
  getTypeParser: (id: number) => exactParsers[id] ?? asText,
}

/** All rows of a table in key order. The connection is in a transaction. */
export async function* postgresRows(
  client: pg.Client,
  table: MovedTable,
): AsyncGenerator<MovedRow> {
  await client.query(`DECLARE moved NO SCROLL CURSOR FOR ${selectAll(table)}`)
  for (;;) {
    const { rows } = await client.query<MovedValue[]>({
      text: `FETCH ${maxRowsPerStatement} FROM moved`,
      rowMode: 'array',
      types: exactTypes,
    })
    yield* rows
    if (rows.length < maxRowsPerStatement) break
  }
  await client.query('CLOSE moved')
}

export async function postgresDigest(client: pg.Client, table: MovedTable): Promise<TableDigest> {
  const digest = new RowDigest(table)
  for await (const row of postgresRows(client, table)) digest.add(row)
  return digest.end()
}

/** Inserts rows. Returns their digest. @throws Refusal if PostgreSQL cannot store a text */
export async function fillPostgres(
  client: pg.Client,
  table: MovedTable,
  rows: Iterable<MovedRow>,
): Promise<TableDigest> {
  const digest = new RowDigest(table)
  let batch: MovedRow[] = []
  let characters = 0
  for (const row of rows) {
    requireNoNul(table, row)
    digest.add(row)
    batch.push(row)
    characters += row.reduce<number>((sum, value) => sum + characterCount(value), 0)
    if (batch.length < maxRowsPerStatement && characters < maxCharactersPerStatement) continue
    await insert(client, table, batch)
    batch = []
    characters = 0
  }
  if (batch.length > 0) await insert(client, table, batch)
  return digest.end()
}

const characterCount = (value: MovedValue) => (typeof value === 'string' ? value.length : 8)

const arrayTypes: Record<MovedColumn['type'], string> = {
  text: 'text[]',
  integer: 'bigint[]',
  real: 'double precision[]',
}

/** One array per column: the statement is the same for any number of rows. */
async function insert(
  client: pg.Client,
  { name, columns }: MovedTable,
  rows: readonly MovedRow[],
): Promise<void> {
  const names = columnList(columns.map((column) => column.name))
  const values = columns.map(({ type }, i) => `$${i + 1}::${arrayTypes[type]}`).join(', ')
  await client.query({
    text: `INSERT INTO "${name}" (${names}) SELECT * FROM unnest(${values})`,
    values: columns.map((_, i) => rows.map((row) => row[i])),
  })
}

/** PostgreSQL text cannot contain NUL. @throws Refusal */
function requireNoNul({ name, columns, order }: MovedTable, row: MovedRow): void {
  const nulIndex = row.findIndex((value) => typeof value === 'string' && value.includes('\0'))
  if (nulIndex === -1) return
  const key = order.map((column) => row[columns.findIndex((other) => other.name === column)])
  throw new Refusal(
    'invalid_argument',
    `${name}.${columns[nulIndex]?.name} of the row ${key.join(', ')} has a text with the character NUL, which PostgreSQL cannot store.`,
    'Nothing was moved. Change or delete that item, empty the trash, and move again.',
  )
}

/**
 * Runs an action with references and triggers disabled: rows are inserted in any order, and rows derived by triggers are copied,
 * too.
 */
export async function withoutTriggers(
  client: pg.Client,
  action: () => Promise<void>,
): Promise<void> {
  const { rows: references } = await client.query<{ table: string; name: string; text: string }>(
    'SELECT conrelid::regclass::text AS "table", quote_ident(conname) AS name, pg_get_constraintdef(oid) AS text FROM pg_constraint WHERE contype = \'f\' AND connamespace = current_schema()::regnamespace',
  )
  const { rows: tablesWithTriggers } = await client.query<{ table: string }>(
    'SELECT DISTINCT tgrelid::regclass::text AS "table" FROM pg_trigger JOIN pg_class ON pg_class.oid = tgrelid WHERE NOT tgisinternal AND relnamespace = current_schema()::regnamespace',
  )
  for (const { table, name } of references)
    await client.query(`ALTER TABLE ${table} DROP CONSTRAINT ${name}`)
  for (const { table } of tablesWithTriggers)
    await client.query(`ALTER TABLE ${table} DISABLE TRIGGER USER`)
  await action()
  for (const { table } of tablesWithTriggers)
    await client.query(`ALTER TABLE ${table} ENABLE TRIGGER USER`)
  for (const { table, name, text } of references)
    await client.query(`ALTER TABLE ${table} ADD CONSTRAINT ${name} ${text}`)
}

import { sql } from 'kysely'
import { containsText, equalsText } from '../../db/text-conditions.ts'
import { likeness, wordsIn } from '../../kernel/text/nearest.ts'
import { anyRows, wholeRows, type ItemTable, type Row, type Scoped } from '../row.ts'
import type { AccessScope } from '../access-scope.ts'

/** Alternatives to the id by which people refer to rows of a resource. */
export interface Names<T extends ItemTable> {
  /** Columns that hold a name of the row; compared whole and without regard to case. */
  columns: readonly (keyof Row<T> & string)[]
  /** The organization has each name once, so that `find` takes names too. */
  unique?: true
  /** The column that names the item within which names are unique: the project of a sprint. */
  within?: { column: keyof Row<T> & string; table: ItemTable }
  /**
   * Finds the rows of a name where comparing the columns of all rows would be slow, or where a
   * name has parts (a path).
   */
  by?: (rows: Scoped<T>, text: string, scope: AccessScope) => Promise<Scoped<T> | undefined>
  /**
   * Finds rows by a part of their name, such as a first name. Operations that delete something do
   * not use it.
   */
  partial?: (rows: Scoped<T>, text: string) => Scoped<T>
  /** Finds rows to suggest, where looking through the names of all rows would be slow. */
  suggest?: (rows: Scoped<T>, text: string, scope: AccessScope) => Promise<Scoped<T> | undefined>
  /** Details that distinguish two rows of the same name, shown with candidates. */
  details?: (row: Row<T>) => Record<string, unknown>
}

export type Narrowing<T extends ItemTable> = (rows: Scoped<T>) => Scoped<T>

export interface NameOptions<T extends ItemTable> {
  /**
   * Rows that a name refers to first; the others only where none of these has it. Ids are not
   * narrowed.
   */
  among?: Narrowing<T> | undefined
  /** The item that the rows of a name are looked up in first: `{ column: 'project_id', id }`. */
  within?: { column: keyof Row<T> & string; id: string } | undefined
  /** Whole names only, no first names. */
  exact?: boolean | undefined
  /** Hint in the refusal for an email address outside the organization. */
  outside?: string | undefined
}

/** Candidates in a refusal. */
export const maxCandidates = 3
/** Rows that are fetched to choose them from. */
const maxScanned = 200
const maxNameLength = 200

const longEnough = (text: string) => text.length <= maxNameLength && /\S/.test(text)

/** The rows that a name refers to; at most one more than are shown as candidates. */
export async function rowsByName<T extends ItemTable>(
  names: Names<T>,
  table: T,
  rows: Scoped<T>,
  input: string,
  scope: AccessScope,
  options: NameOptions<T>,
): Promise<Row<T>[]> {
  const text = input.trim().normalize('NFC')
  if (!longEnough(text)) return []
  for (const narrowed of narrowings(table, rows, options)) {
    const query = names.by
      ? await names.by(narrowed, text, scope)
      : narrowed.where(isNamed(table, names, text))
    const matches = query ? await someOf(query, table) : []
    if (matches.length > 0) return matches
    const partly =
      names.partial && !options.exact ? await someOf(names.partial(narrowed, text), table) : []
    if (partly.length > 0) return partly
  }
  return []
}

/** The rows that are looked through one after the other: those that are meant first, then all. */
export function narrowings<T extends ItemTable>(
  table: T,
  rows: Scoped<T>,
  { among, within }: NameOptions<T>,
): Scoped<T>[] {
  if (!among && !within) return [rows]
  const first = among ? among(rows) : rows
  return [within ? first.where(sql.ref(`${table}.${within.column}`), '=', within.id) : first, rows]
}

async function someOf<T extends ItemTable>(query: Scoped<T>, table: T): Promise<Row<T>[]> {
  return wholeRows(query.limit(maxCandidates + 1), table)
}

/** Whether one of its columns is the name. */
export function isNamed<T extends ItemTable>(table: T, { columns }: Names<T>, text: string) {
  return (eb: { or: (all: any[]) => any }) =>
    eb.or(columns.map((column) => equalsText(`${table}.${column}`, text)))
}

/**
 * The rows whose names are most like one that none has: those that share a word with it, else
 * those spelled alike (not where it has to be quick).
 */
export async function rowsLike<T extends ItemTable>(
  { table, definition: { names } }: { table: T; definition: { names?: Names<T> } },
  rows: Scoped<T>,
  input: string,
  scope: AccessScope,
  quick = false,
): Promise<Row<T>[]> {
  const text = input.trim().normalize('NFC')
  if (!names || !longEnough(text)) return []
  const nearest = (candidates: Row<T>[], atLeast: number) =>
    ranked(names, candidates, text, atLeast)
  if (names.suggest) {
    const query = await names.suggest(rows, text, scope)
    return query ? nearest(await scan(query, table), 0) : []
  }
  const columns = names.columns.map((column) => `${table}.${column}`)
  const words = wordsIn(text)
    .filter((word) => word.length > 2)
    .sort((a, b) => b.length - a.length)
    .slice(0, 3)
  for (const word of words) {
    const matches = await scan(rows.where(containsText(columns, word)), table)
    if (matches.length > 0) return nearest(matches, 0)
  }
  return quick ? [] : nearest(await scan(rows, table), 0.5)
}

async function scan<T extends ItemTable>(rows: Scoped<T>, table: T): Promise<Row<T>[]> {
  return (await anyRows(rows.selectAll(table))
    .orderBy(sql.ref(`${table}.id`), 'desc')
    .limit(maxScanned)
    .execute()) as Row<T>[]
}

function ranked<T extends ItemTable>(
  names: Names<T>,
  rows: Row<T>[],
  text: string,
  atLeast: number,
): Row<T>[] {
  const short = (name: unknown) => String(name ?? '').slice(0, 100)
  const by = (row: Row<T>) =>
    Math.max(...names.columns.map((column) => likeness(text.slice(0, 100), short(row[column]))))
  const all = rows.map((row) => ({ row, by: by(row) })).filter((item) => item.by >= atLeast)
  return all
    .sort((a, b) => b.by - a.by)
    .slice(0, maxCandidates)
    .map((item) => item.row)
}

import { sql } from 'kysely'
import { containsText, equalsText } from '../../db/text-conditions.ts'
import { similarity, wordsIn } from '../../kernel/text/nearest.ts'
import { anyRows, wholeRows, type ItemTable, type Row, type Scoped } from '../row.ts'
import type { AccessScope } from '../access-scope.ts'

/** Alternatives to the id by which people refer to rows of a resource. */
export interface Names<T extends ItemTable> {
  /** Columns that hold a name of the row; compared in full, ignoring case. */
  columns: readonly (keyof Row<T> & string)[]
  /** Names are unique in the organization, so `find` accepts names too. */
  unique?: true
  /** The column of the container within which names are unique: the project of a sprint. */
  within?: { column: keyof Row<T> & string; table: ItemTable }
  /** Finds the rows of a name if comparing the columns of all rows would be slow, or if a name has parts (a path). */
  by?: (rows: Scoped<T>, text: string, scope: AccessScope) => Promise<Scoped<T> | undefined>
  /** Finds rows by a part of their name, such as a first name. Operations that delete something do not use it. */
  partial?: (rows: Scoped<T>, text: string) => Scoped<T>
  /** Finds rows to suggest if scanning the names of all rows would be slow. */
  suggest?: (rows: Scoped<T>, text: string, scope: AccessScope) => Promise<Scoped<T> | undefined>
  /** Details that distinguish two rows of the same name, shown with candidates. */
  details?: (row: Row<T>) => Record<string, unknown>
}

export type Narrowing<T extends ItemTable> = (rows: Scoped<T>) => Scoped<T>

export interface NameOptions<T extends ItemTable> {
  /** Rows preferred for a name; others only if none of these match. Does not apply to ids. */
  among?: Narrowing<T> | undefined
  /** The container whose rows are searched for a name first: `{ column: 'project_id', id }`. */
  within?: { column: keyof Row<T> & string; id: string } | undefined
  /** Whole names only, no first names. */
  exact?: boolean | undefined
  /** Hint in the refusal for an email address outside the organization. */
  outside?: string | undefined
}

/** Maximum number of candidates in a refusal. */
export const maxCandidates = 3
/** Maximum number of rows fetched to choose them from. */
const maxScanned = 200
const maxNameLength = 200

const longEnough = (text: string) => text.length <= maxNameLength && /\S/.test(text)

/** The rows that match a name, at most one more than the maximum number of candidates. */
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

/** The row sets to search in sequence: preferred ones first, then all. */
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

/** True if the name is in one of its columns. */
export function isNamed<T extends ItemTable>(table: T, { columns }: Names<T>, text: string) {
  return (eb: { or: (all: any[]) => any }) =>
    eb.or(columns.map((column) => equalsText(`${table}.${column}`, text)))
}

/**
 * The rows with names similar to one that does not exist: those that share a word with it, else those with a similar
 * spelling (not in fast mode).
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
    Math.max(...names.columns.map((column) => similarity(text.slice(0, 100), short(row[column]))))
  const all = rows.map((row) => ({ row, by: by(row) })).filter((item) => item.by >= atLeast)
  return all
    .sort((a, b) => b.by - a.by)
    .slice(0, maxCandidates)
    .map((item) => item.row)
}

import { sql, type SelectQueryBuilder, type SqlBool } from 'kysely'
import { Refusal } from '../kernel/refusal.ts'
import { anyOf } from '../db/text-conditions.ts'

/** One column of a list's order. The last column must be unique (an id). */
export interface Order {
  /** The column, `tasks.updated_at`. */
  by: string
  /** Its name in the rows that the query selects. */
  as: string
  dir: 'asc' | 'desc'
  /** Nulls come last in either direction. */
  nullable?: boolean
}

export interface PageRequest {
  limit: number
  cursor?: string | undefined
}

export interface PageOf<R> {
  items: R[]
  next_cursor?: string
  has_more: boolean
}

export type Value = string | number | null

/**
 * One page of an ordered query. The cursor holds the last row's position in the order, not a count, so rows that
 * appear or disappear between pages cause no repetitions or gaps.
 */
export async function paged<DB, TB extends keyof DB, R>(
  query: SelectQueryBuilder<DB, TB, R>,
  order: readonly Order[],
  request: PageRequest,
): Promise<PageOf<R>> {
  const place = request.cursor === undefined ? undefined : readPlace(order, request.cursor)
  const rows = await applyOrder(query, order, place)
    .limit(request.limit + 1)
    .execute()
  return cut(rows, request.limit, (row) => writePlace(order, row as Record<string, Value>))
}

/** An ordered query that starts after a position, for callers with their own paging. */
export function applyOrder<DB, TB extends keyof DB, R>(
  query: SelectQueryBuilder<DB, TB, R>,
  order: readonly Order[],
  place?: readonly Value[],
): SelectQueryBuilder<DB, TB, R> {
  let ordered = query
  if (place) ordered = ordered.where(after(order, place))
  for (const item of order) {
    if (item.nullable) ordered = ordered.orderBy(sql`${sql.ref(item.by)} is null`)
    ordered = ordered.orderBy(sql.ref(item.by), item.dir)
  }
  return ordered
}

/** A page from rows that were fetched with one more than the limit. */
export function cut<R>(rows: R[], limit: number, cursorOf: (row: R) => string): PageOf<R> {
  if (rows.length <= limit) return { items: rows, has_more: false }
  const items = rows.slice(0, limit)
  return { items, next_cursor: cursorOf(items[limit - 1]!), has_more: true }
}

/** A page with its items presented differently. */
export function pageWithItems<R, S>(page: PageOf<R>, items: S[]): PageOf<S> {
  return { ...page, items }
}

function name(order: readonly Order[]): string {
  return order.map((item) => `${item.as}${item.dir === 'asc' ? '+' : '-'}`).join('')
}

/** The cursor of a row's position in an order. */
export function writePlace(order: readonly Order[], row: Record<string, Value>): string {
  return encodeCursor([name(order), ...order.map((item) => row[item.as] ?? null)])
}

/**
 * The position in a cursor, with a value for each column of the order.
 * @throws Refusal invalid_argument where it is no cursor of this order
 */
export function readPlace(order: readonly Order[], cursor: string): Value[] {
  const [made, ...values] = decodeCursor(cursor)
  if (made !== name(order) || values.length !== order.length) throw badCursor()
  return values
}

/** An opaque cursor of a few values. */
export function encodeCursor(values: readonly Value[]): string {
  return Buffer.from(JSON.stringify(values)).toString('base64url')
}

/** @throws Refusal invalid_argument where the text is no cursor */
export function decodeCursor(cursor: string, field = 'cursor'): Value[] {
  try {
    const values = JSON.parse(Buffer.from(cursor, 'base64url').toString('utf8')) as unknown
    if (Array.isArray(values) && values.every(isValue)) return values
  } catch {
    // falls through: it is not a cursor
  }
  throw badCursor(field)
}

function isValue(value: unknown): value is Value {
  return (
    value === null ||
    typeof value === 'string' ||
    (typeof value === 'number' && Number.isFinite(value))
  )
}

export function badCursor(field = 'cursor'): Refusal {
  return new Refusal(
    'invalid_argument',
    `${field}: this cursor is not valid for this list and order.`,
    {
      field,
      hint: 'Send next_cursor of the previous page unchanged, with the same sort and order, or omit it to start over.',
    },
  )
}

/** Rows after a position in the order: the first column greater, or equal and the second greater, and so on. */
function after(order: readonly Order[], place: readonly Value[]) {
  if (order.every((item) => item.dir === order[0]!.dir && !item.nullable))
    return rowBeyond(order, place)
  return anyOf(
    order.map((item, i) => {
      const equal = order.slice(0, i).map((before, j) => same(before.by, place[j]!))
      return allOf([...equal, beyond(item, place[i]!)])
    }),
  )
}

/** All columns in one direction: a row value comparison, which the index of the order can answer. */
function rowBeyond(order: readonly Order[], place: readonly Value[]) {
  const columns = sql.join(order.map((item) => sql.ref(item.by)))
  const values = sql.join(place.map((value) => sql.val(value)))
  return order[0]!.dir === 'asc'
    ? sql<SqlBool>`(${columns}) > (${values})`
    : sql<SqlBool>`(${columns}) < (${values})`
}

function same(column: string, value: Value) {
  return value === null
    ? sql<SqlBool>`${sql.ref(column)} is null`
    : sql<SqlBool>`${sql.ref(column)} = ${value}`
}

function beyond(order: Order, value: Value) {
  if (value === null) return sql<SqlBool>`1 = 0`
  const past =
    order.dir === 'asc'
      ? sql<SqlBool>`${sql.ref(order.by)} > ${value}`
      : sql<SqlBool>`${sql.ref(order.by)} < ${value}`
  return order.nullable ? sql<SqlBool>`(${past} or ${sql.ref(order.by)} is null)` : past
}

function allOf(conditions: ReturnType<typeof same>[]) {
  return sql<SqlBool>`(${sql.join(conditions, sql` and `)})`
}

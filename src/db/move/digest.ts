import { createHash } from 'node:crypto'
import type { MovedTable, MovedRow, MovedValue } from './tables.ts'
import { quantity } from '../../kernel/text/quantity.ts'

/** Fingerprint of the rows of a table. */
export interface TableDigest {
  table: string
  rows: number
  /** SHA-256 over all values of all rows in key order, in hex. */
  sha256: string
}

/** Counts and hashes rows in a stream. */
export class RowDigest {
  readonly #hash = createHash('sha256')
  readonly #table: string
  #rows = 0

  constructor({ name }: MovedTable) {
    this.#table = name
  }

  add(row: MovedRow): void {
    this.#hash.update(`${row.map(encodeValue).join('')}\n`)
    this.#rows++
  }

  end(): TableDigest {
    return { table: this.#table, rows: this.#rows, sha256: this.#hash.digest('hex') }
  }
}

/** Encodes a value with its type and length, so that no two rows have the same encoding. */
function encodeValue(value: MovedValue): string {
  if (value === null) return 'n;'
  if (typeof value === 'bigint') return `i${value};`
  if (typeof value === 'string') return `t${value.length}:${value};`
  const bytes = Buffer.alloc(8)
  bytes.writeDoubleBE(value + 0) // 0 and -0 are one number to SQLite
  return `r${bytes.toString('hex')};`
}

/** Describes the tables that differ. */
function describeDifferences(
  sent: readonly TableDigest[],
  arrived: readonly TableDigest[],
): string[] {
  const arrivedByTable = new Map(arrived.map((digest) => [digest.table, digest]))
  return sent.flatMap(({ table, rows, sha256 }) => {
    const digestAfter = arrivedByTable.get(table)
    if (digestAfter?.rows !== rows)
      return [`${table} has ${quantity(digestAfter?.rows ?? 0, 'row')}, not ${rows}`]
    return digestAfter.sha256 === sha256
      ? []
      : [`${table} has the same number of rows, with other values`]
  })
}

/** @throws Error if the rows that arrived differ from those sent */
export function requireSameRows(
  sent: readonly TableDigest[],
  arrived: readonly TableDigest[],
): void {
  const problems = describeDifferences(sent, arrived)
  if (problems.length > 0)
    throw new Error(`Not all rows arrived as they were: ${problems.join('; ')}. Nothing was moved.`)
}

import type { Reading } from '../api/client.ts'
import type { AnyRow, RowOf, RowChange, RowType } from './types.ts'

interface OwnChange {
  write: string
  change: RowChange
}

type Heard = (ids: ReadonlySet<string>) => void

/** The rows of one type. Screens get the displayed state: server data with the reader's unconfirmed changes on top. */
export class RowTable<R extends AnyRow> {
  readonly #serverRows = new Map<string, R>()
  readonly #readings = new Map<string, Reading>()
  /** Time of removal and, for deleted rows, their revision: earlier answers do not bring them back. */
  readonly #removed = new Map<string, { at: Reading | undefined; revision: number | undefined }>()
  readonly #own = new Map<string, OwnChange[]>()
  readonly #visibleRows = new Map<string, R>()
  readonly #ofRow = new Map<string, Set<() => void>>()
  readonly #ofAll = new Set<Heard>()
  #changed = new Set<string>()
  #depth = 0
  #version = 0

  get(id: string): R | undefined {
    return this.#visibleRows.get(id)
  }

  has(id: string): boolean {
    return this.#serverRows.has(id)
  }

  /** Last state from the server, without own changes. */
  serverRow(id: string): R | undefined {
    return this.#serverRows.get(id)
  }

  /** The position of the newest change that a row certainly includes; undefined if unknown. */
  positionOf(id: string): number | undefined {
    return this.#readings.get(id)?.position
  }

  all(): IterableIterator<R> {
    return this.#visibleRows.values()
  }

  get size(): number {
    return this.#visibleRows.size
  }

  /** Increases with every change. */
  get version(): number {
    return this.#version
  }

  /**
   * Stores rows from the server, skipping rows older than the stored ones: by revision or, because unread counts
   * change without one, by reading time. Removed rows stay removed, see `remove`.
   */
  put(rows: readonly R[], reading?: Reading): void {
    this.batch(() => {
      for (const row of rows) {
        if (this.#isFromBefore(row, reading) || this.#isOvertaken(row, reading)) continue
        this.#serverRows.set(row.id, row)
        this.#removed.delete(row.id)
        if (reading) this.#readings.set(row.id, reading)
        else this.#readings.delete(row.id)
        this.#show(row.id)
      }
    })
  }

  /**
   * Removes rows. Answers read earlier (`at`) do not restore them; for deleted rows (`isDeleted`), neither do answers
   * of unknown age, unless their revision is higher.
   */
  remove(
    ids: Iterable<string>,
    { at, isDeleted = false }: { at?: Reading | undefined; isDeleted?: boolean } = {},
  ): void {
    this.batch(() => {
      for (const id of ids) {
        const revision = isDeleted ? this.#serverRows.get(id)?.revision : undefined
        this.#removed.set(id, { at, revision: revision ?? this.#removed.get(id)?.revision })
        this.#serverRows.delete(id)
        this.#readings.delete(id)
        this.#own.delete(id)
        this.#show(id)
      }
    })
  }

  clear(): void {
    this.remove([...this.#serverRows.keys(), ...this.#own.keys()])
    this.#removed.clear()
  }

  /** Clears reading times: rows then count as older than any reading. */
  forgetReadings(): void {
    this.#readings.clear()
  }

  /** Overlays an own change on its row, until `drop` of its write. */
  apply(write: string, change: RowChange): void {
    this.batch(() => {
      const otherChanges = this.#own.get(change.id)?.filter((item) => item.write !== write) ?? []
      this.#own.set(change.id, [...otherChanges, { write, change }])
      this.#show(change.id)
    })
  }

  /** Removes the changes of a write. */
  drop(write: string): void {
    this.batch(() => {
      for (const [id, own] of this.#own) {
        const rest = own.filter((item) => item.write !== write)
        if (rest.length === own.length) continue
        if (rest.length > 0) this.#own.set(id, rest)
        else this.#own.delete(id)
        this.#show(id)
      }
    })
  }

  /** True if a row has unconfirmed changes of the reader's. */
  isUnconfirmed(id: string): boolean {
    return this.#own.has(id)
  }

  /** Subscribes to changes of one row. Returns a function that unsubscribes. */
  listen(id: string, listener: () => void): () => void {
    const listeners = this.#ofRow.get(id) ?? new Set()
    this.#ofRow.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#ofRow.get(id) === listeners) this.#ofRow.delete(id)
    }
  }

  /** Subscribes to changed rows, in batches. Returns a function that unsubscribes. */
  listenAll(callback: Heard): () => void {
    this.#ofAll.add(callback)
    return () => void this.#ofAll.delete(callback)
  }

  /** Notifies listeners once, after all changes made by the work. */
  batch(work: () => void): void {
    this.#depth++
    try {
      work()
    } finally {
      if (--this.#depth === 0) this.#tell()
    }
  }

  /** True if the stored state is newer than a row. */
  #isOvertaken(row: R, reading: Reading | undefined): boolean {
    const current = this.#serverRows.get(row.id)
    const age = current === undefined ? 1 : compareAge(row, current)
    if (age !== 0) return age < 0
    return isBefore(reading, this.#readings.get(row.id))
  }

  /** True if a row was read before its removal. */
  #isFromBefore({ id, revision }: R, reading: Reading | undefined): boolean {
    const removed = this.#removed.get(id)
    if (removed === undefined) return false
    if (reading && removed.at) return isBefore(reading, removed.at)
    return revision !== undefined && removed.revision !== undefined && revision <= removed.revision
  }

  #tell(): void {
    if (this.#changed.size === 0) return
    const changed = this.#changed
    this.#changed = new Set()
    this.#version++
    for (const listener of [...this.#ofAll]) listener(changed)
    for (const id of changed) for (const listener of [...(this.#ofRow.get(id) ?? [])]) listener()
  }

  #show(id: string): void {
    let row = this.#serverRows.get(id)
    for (const { change } of this.#own.get(id) ?? []) row = applyRowChange(row, change)
    if (row) this.#visibleRows.set(id, row)
    else this.#visibleRows.delete(id)
    this.#changed.add(id)
  }
}

/** True if one reading was before another; false if either is unknown. */
function isBefore(reading: Reading | undefined, other: Reading | undefined): boolean {
  const [position, otherPosition] = [reading?.position, other?.position]
  if (position !== undefined && otherPosition !== undefined && position !== otherPosition)
    return position < otherPosition
  const [order, otherOrder] = [reading?.order, other?.order]
  return order !== undefined && otherOrder !== undefined && order < otherOrder
}

function applyRowChange<R extends AnyRow>(row: R | undefined, change: RowChange): R | undefined {
  if ('remove' in change) return undefined
  if ('add' in change) return row ?? ({ ...change.add, id: change.id } as AnyRow as R)
  return row && { ...row, ...change.set }
}

/** Negative if the row is older than the known one. Rows without a revision are equal in age. */
function compareAge(row: AnyRow, stored: AnyRow): number {
  if (row.revision === undefined || stored.revision === undefined) return 0
  if (row.revision !== stored.revision) return row.revision - stored.revision
  return Date.parse(row.updated_at ?? '') - Date.parse(stored.updated_at ?? '') || 0
}

const tables = new Map<RowType, RowTable<AnyRow>>()

/** The rows of a type. */
export function table<T extends RowType>(type: T): RowTable<RowOf<T>> {
  const rowTable = tables.get(type) ?? new RowTable<AnyRow>()
  tables.set(type, rowTable)
  return rowTable as RowTable<AnyRow> as RowTable<RowOf<T>>
}

/** Non-empty tables, by type. */
export function heldTables(): [RowType, RowTable<AnyRow>][] {
  return [...tables]
}

/** Clears all rows: another person signs in, or everything is reloaded. */
export function clearTables(): void {
  for (const rowTable of tables.values()) rowTable.clear()
}

import type { ReadStamp } from '../api/client.ts'
import type { AnyRow, RowOf, RowChange, RowType } from './types.ts'

interface LocalChange {
  writeId: string
  change: RowChange
}

type RowsListener = (ids: ReadonlySet<string>) => void

/** The rows of one type. Screens get the displayed state: server data with the reader's unconfirmed changes on top. */
export class RowTable<R extends AnyRow> {
  readonly #serverRows = new Map<string, R>()
  readonly #readStamps = new Map<string, ReadStamp>()
  /** Time of removal and, for deleted rows, their revision: earlier answers do not bring them back. */
  readonly #removals = new Map<
    string,
    { stamp: ReadStamp | undefined; revision: number | undefined }
  >()
  readonly #localChanges = new Map<string, LocalChange[]>()
  readonly #visibleRows = new Map<string, R>()
  readonly #rowListeners = new Map<string, Set<() => void>>()
  readonly #tableListeners = new Set<RowsListener>()
  #changedIds = new Set<string>()
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
    return this.#readStamps.get(id)?.position
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
  put(rows: readonly R[], stamp?: ReadStamp): void {
    this.batch(() => {
      for (const row of rows) {
        if (this.#isBeforeRemoval(row, stamp) || this.#isStale(row, stamp)) continue
        this.#serverRows.set(row.id, row)
        this.#removals.delete(row.id)
        if (stamp) this.#readStamps.set(row.id, stamp)
        else this.#readStamps.delete(row.id)
        this.#updateVisibleRow(row.id)
      }
    })
  }

  /**
   * Removes rows. Answers read before `stamp` do not restore them; for deleted rows (`isDeleted`), neither do answers
   * of unknown age, unless their revision is higher.
   */
  remove(
    ids: Iterable<string>,
    { stamp, isDeleted = false }: { stamp?: ReadStamp | undefined; isDeleted?: boolean } = {},
  ): void {
    this.batch(() => {
      for (const id of ids) {
        const revision = isDeleted ? this.#serverRows.get(id)?.revision : undefined
        this.#removals.set(id, { stamp, revision: revision ?? this.#removals.get(id)?.revision })
        this.#serverRows.delete(id)
        this.#readStamps.delete(id)
        this.#localChanges.delete(id)
        this.#updateVisibleRow(id)
      }
    })
  }

  clear(): void {
    this.remove([...this.#serverRows.keys(), ...this.#localChanges.keys()])
    this.#removals.clear()
  }

  /** Clears the read stamps: rows then count as older than any answer. */
  clearReadStamps(): void {
    this.#readStamps.clear()
  }

  /** Overlays an own change on its row, until `drop` of its write. */
  apply(writeId: string, change: RowChange): void {
    this.batch(() => {
      const otherChanges =
        this.#localChanges.get(change.id)?.filter((local) => local.writeId !== writeId) ?? []
      this.#localChanges.set(change.id, [...otherChanges, { writeId, change }])
      this.#updateVisibleRow(change.id)
    })
  }

  /** Removes the changes of a write. */
  drop(writeId: string): void {
    this.batch(() => {
      for (const [id, changes] of this.#localChanges) {
        const remaining = changes.filter((local) => local.writeId !== writeId)
        if (remaining.length === changes.length) continue
        if (remaining.length > 0) this.#localChanges.set(id, remaining)
        else this.#localChanges.delete(id)
        this.#updateVisibleRow(id)
      }
    })
  }

  /** True if a row has unconfirmed changes of the reader's. */
  isUnconfirmed(id: string): boolean {
    return this.#localChanges.has(id)
  }

  /** Subscribes to changes of one row. Returns a function that unsubscribes. */
  listen(id: string, listener: () => void): () => void {
    const listeners = this.#rowListeners.get(id) ?? new Set()
    this.#rowListeners.set(id, listeners.add(listener))
    return () => {
      listeners.delete(listener)
      if (listeners.size === 0 && this.#rowListeners.get(id) === listeners)
        this.#rowListeners.delete(id)
    }
  }

  /** Subscribes to changed rows, in batches. Returns a function that unsubscribes. */
  listenAll(callback: RowsListener): () => void {
    this.#tableListeners.add(callback)
    return () => void this.#tableListeners.delete(callback)
  }

  /** Notifies listeners once, after all changes made by the work. */
  batch(work: () => void): void {
    this.#depth++
    try {
      work()
    } finally {
      if (--this.#depth === 0) this.#notify()
    }
  }

  /** True if the stored state is newer than a row. */
  #isStale(row: R, stamp: ReadStamp | undefined): boolean {
    const current = this.#serverRows.get(row.id)
    const age = current === undefined ? 1 : compareAge(row, current)
    if (age !== 0) return age < 0
    return isBefore(stamp, this.#readStamps.get(row.id))
  }

  /** True if a row was read before its removal. */
  #isBeforeRemoval({ id, revision }: R, stamp: ReadStamp | undefined): boolean {
    const removal = this.#removals.get(id)
    if (removal === undefined) return false
    if (stamp && removal.stamp) return isBefore(stamp, removal.stamp)
    return revision !== undefined && removal.revision !== undefined && revision <= removal.revision
  }

  #notify(): void {
    if (this.#changedIds.size === 0) return
    const changedIds = this.#changedIds
    this.#changedIds = new Set()
    this.#version++
    for (const listener of [...this.#tableListeners]) listener(changedIds)
    for (const id of changedIds)
      for (const listener of [...(this.#rowListeners.get(id) ?? [])]) listener()
  }

  #updateVisibleRow(id: string): void {
    let row = this.#serverRows.get(id)
    for (const { change } of this.#localChanges.get(id) ?? []) row = applyRowChange(row, change)
    if (row) this.#visibleRows.set(id, row)
    else this.#visibleRows.delete(id)
    this.#changedIds.add(id)
  }
}

/** True if one answer was read before another; false if either is unknown. */
function isBefore(stamp: ReadStamp | undefined, other: ReadStamp | undefined): boolean {
  const [position, otherPosition] = [stamp?.position, other?.position]
  if (position !== undefined && otherPosition !== undefined && position !== otherPosition)
    return position < otherPosition
  const [order, otherOrder] = [stamp?.order, other?.order]
  return order !== undefined && otherOrder !== undefined && order < otherOrder
}

function applyRowChange<R extends AnyRow>(row: R | undefined, change: RowChange): R | undefined {
  if ('remove' in change) return undefined
  if ('add' in change) return row ?? ({ ...change.add, id: change.id } as AnyRow as R)
  return row && { ...row, ...change.set }
}

/** Negative if the row is older than the stored one. Rows without a revision are equal in age. */
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

/** All tables in use, by type. */
export function allTables(): [RowType, RowTable<AnyRow>][] {
  return [...tables]
}

/** Clears all rows: another person signs in, or everything is reloaded. */
export function clearTables(): void {
  for (const rowTable of tables.values()) rowTable.clear()
}

import type { RowTable } from './rows.ts'
import type { AnyRow } from './types.ts'

/** Selection, order and groups of a screen's rows. All three must be pure; keep the object between renders. */
export interface View<R> {
  filter?: (row: R) => boolean
  /** The sort order; ties are resolved by id. */
  compare?: (a: R, b: R) => number
  /** The groups of a row; several put it into each (assignees). */
  groups?: (row: R) => string | readonly string[]
}

/** The ids of a view's rows. A new object only if it differs from the previous one. */
export interface ViewState {
  /** All ids in order, each once. */
  ids: readonly string[]
  /** Ordered ids by group; without `groups` there is one group, ''. */
  groups: ReadonlyMap<string, readonly string[]>
}

interface PlacedRow<R> {
  row: R
  groups: readonly string[]
}

const defaultGroups = [''] as const

/**
 * Keeps the ids of a view sorted while its rows change: only a changed row is moved, without sorting the others
 * again. While frozen, everything keeps its place, except for removed rows.
 */
export class ViewIndex<R extends AnyRow> {
  readonly #table: RowTable<R>
  readonly #view: View<R>
  readonly #placedRows = new Map<string, PlacedRow<R>>()
  readonly #groups = new Map<string, string[]>()
  readonly #listeners = new Set<() => void>()
  readonly #deferredIds = new Set<string>()
  #ids: string[] = []
  #state: ViewState | undefined
  #isFrozen = false
  #filledVersion = -1
  #unsubscribe: (() => void) | undefined

  constructor(table: RowTable<R>, view: View<R>) {
    this.#table = table
    this.#view = view
    this.#fill()
  }

  /** For useSyncExternalStore. */
  readonly subscribe = (listener: () => void): (() => void) => {
    this.#listeners.add(listener)
    if (!this.#unsubscribe) {
      this.#unsubscribe = this.#table.listenAll((ids) => this.#update(ids))
      if (this.#filledVersion !== this.#table.version) this.#fill()
    }
    return () => {
      this.#listeners.delete(listener)
      if (this.#listeners.size > 0) return
      this.#unsubscribe?.()
      this.#unsubscribe = undefined
      this.#filledVersion = -1 // from here on, changes are missed
    }
  }

  readonly state = (): ViewState => {
    this.#state ??= {
      ids: [...this.#ids],
      groups: new Map([...this.#groups].map(([name, ids]) => [name, [...ids]])),
    }
    return this.#state
  }

  /** Freezes the order during keyboard movement; afterwards rows move to their places. */
  freeze(isFrozen: boolean): void {
    if (this.#isFrozen === isFrozen) return
    this.#isFrozen = isFrozen
    if (isFrozen) return
    const deferredIds = new Set(this.#deferredIds)
    this.#deferredIds.clear()
    this.#update(deferredIds)
  }

  #fill(): void {
    this.#filledVersion = this.#table.version
    const rows = [...this.#table.all()].filter((row) => this.#isIncluded(row)).sort(this.#compare)
    const previousIds = this.#ids
    this.#placedRows.clear()
    this.#groups.clear()
    this.#ids = rows.map((row) => row.id)
    for (const row of rows) {
      const groups = this.#groupsOf(row)
      this.#placedRows.set(row.id, { row, groups })
      for (const name of groups) this.#idsOfGroup(name).push(row.id)
    }
    if (previousIds.length > 0 || rows.length > 0) this.#state = undefined
  }

  #update(ids: ReadonlySet<string>): void {
    let hasChanged = false
    for (const id of ids) hasChanged = this.#updateRow(id) || hasChanged
    if (!hasChanged) return
    this.#state = undefined
    for (const listener of [...this.#listeners]) listener()
  }

  /** Returns whether that changes the view. */
  #updateRow(id: string): boolean {
    const row = this.#table.get(id)
    const placed = this.#placedRows.get(id)
    if (row && this.#isFrozen) {
      this.#deferredIds.add(id)
      return false
    }
    const isIncluded = row !== undefined && this.#isIncluded(row)
    if (!placed && !isIncluded) return false
    if (placed && isIncluded && this.#keepsPosition(placed, row)) {
      placed.row = row
      return false
    }
    if (placed) this.#removeRow(id, placed)
    if (isIncluded) this.#insertRow(row)
    return true
  }

  #keepsPosition(placed: PlacedRow<R>, row: R): boolean {
    const groups = this.#groupsOf(row)
    return (
      this.#compare(placed.row, row) === 0 &&
      groups.length === placed.groups.length &&
      groups.every((name, i) => name === placed.groups[i])
    )
  }

  #removeRow(id: string, placed: PlacedRow<R>): void {
    this.#placedRows.delete(id)
    removeFrom(this.#ids, this.#indexOf(this.#ids, placed.row), id)
    for (const name of placed.groups) {
      const ids = this.#idsOfGroup(name)
      removeFrom(ids, this.#indexOf(ids, placed.row), id)
      if (ids.length === 0) this.#groups.delete(name)
    }
  }

  #insertRow(row: R): void {
    const groups = this.#groupsOf(row)
    this.#ids.splice(this.#indexOf(this.#ids, row), 0, row.id)
    for (const name of groups) {
      const ids = this.#idsOfGroup(name)
      ids.splice(this.#indexOf(ids, row), 0, row.id)
    }
    this.#placedRows.set(row.id, { row, groups })
  }

  /** Index of a row, or its insertion point, in sorted ids. */
  #indexOf(ids: readonly string[], row: R): number {
    let low = 0
    let high = ids.length
    while (low < high) {
      const middle = (low + high) >>> 1
      const other = this.#placedRows.get(ids[middle] ?? '')?.row
      if (other && this.#compare(other, row) < 0) low = middle + 1
      else high = middle
    }
    return low
  }

  #idsOfGroup(name: string): string[] {
    const groupIds = this.#groups.get(name) ?? []
    this.#groups.set(name, groupIds)
    return groupIds
  }

  #isIncluded(row: R): boolean {
    return this.#view.filter?.(row) ?? true
  }

  #groupsOf(row: R): readonly string[] {
    const groups = this.#view.groups?.(row)
    if (groups === undefined) return defaultGroups
    return typeof groups === 'string' ? [groups] : groups
  }

  readonly #compare = (a: R, b: R): number => {
    const order = this.#view.compare?.(a, b) ?? 0
    if (order !== 0 || a.id === b.id) return order
    return a.id < b.id ? -1 : 1
  }
}

/** Removes an id from its expected index, or else from its actual one. */
function removeFrom(ids: string[], expectedIndex: number, id: string): void {
  const index = ids[expectedIndex] === id ? expectedIndex : ids.indexOf(id)
  if (index >= 0) ids.splice(index, 1)
}

// Container of each text, in memory: this filters thousands of texts by scope at once, without
// reading each.

import type { ScopeFilter } from './scope.ts'

/** Properties that decide if a search may use a text. */
export interface DocLocation {
  item_id: string
  item_type: string
  container: string
  at: number
}

/** Text with its item and location. */
export interface Doc extends DocLocation {
  rowid_: number
  ref: string
}

/** A text as indexed. */
export interface DocumentRow {
  rowid_: number
  org_id: string
  item_type: string
  container: string
  /** Bytes of its title and its body. */
  size: number
}

/** Totals over the texts of an organization. */
export interface Totals {
  texts: number
  bytes: number
}

interface Group {
  organization: string
  type: string
  container: string
}

/** Group number of an unknown text. */
const unknown = 0

export class DocumentMap {
  /** Number of a text's group (its type and container), by rowid. */
  #groupByRowid = new Uint32Array(1024)
  #sizeByRowid = new Uint32Array(1024)
  readonly #groupNumbers = new Map<string, number>()
  readonly #groups: (Group | undefined)[] = [undefined]
  readonly #totals = new Map<string, Totals>()
  #end = 0

  /** One above the highest known rowid. */
  get end(): number {
    return this.#end
  }

  isKnown(rowid: number): boolean {
    return this.groupAt(rowid) !== unknown
  }

  groupAt(rowid: number): number {
    return this.#groupByRowid[rowid] ?? unknown
  }

  /** Bytes of a text. */
  sizeAt(rowid: number): number {
    return this.#sizeByRowid[rowid] ?? 0
  }

  totals(organization: string | undefined): Totals {
    if (organization !== undefined) return this.#totals.get(organization) ?? { texts: 0, bytes: 0 }
    const all = { texts: 0, bytes: 0 }
    for (const { texts, bytes } of this.#totals.values()) {
      all.texts += texts
      all.bytes += bytes
    }
    return all
  }

  /** The number of a type and container. */
  groupNumber({ org_id, item_type, container }: Omit<DocumentRow, 'rowid_' | 'size'>): number {
    const name = `${item_type} ${container}`
    const existing = this.#groupNumbers.get(name)
    if (existing !== undefined) return existing
    this.#groups.push({ organization: org_id, type: item_type, container })
    this.#groupNumbers.set(name, this.#groups.length - 1)
    return this.#groups.length - 1
  }

  set(row: DocumentRow): void {
    this.remove(row.rowid_)
    this.#reserve(row.rowid_ + 1)
    this.#groupByRowid[row.rowid_] = this.groupNumber(row)
    this.#sizeByRowid[row.rowid_] = row.size
    const totals = this.#totals.get(row.org_id) ?? { texts: 0, bytes: 0 }
    totals.texts++
    totals.bytes += row.size
    this.#totals.set(row.org_id, totals)
  }

  remove(rowid: number): void {
    const group = this.#groups[this.groupAt(rowid)]
    const totals = group && this.#totals.get(group.organization)
    if (!totals) return
    totals.texts--
    totals.bytes -= this.sizeAt(rowid)
    this.#groupByRowid[rowid] = unknown
  }

  /** For each group: 1 if all its texts are searched. */
  fullySearched(filter: ScopeFilter): Uint8Array {
    return this.#groupFlags((group) => filter.isFullySearched(group.type, group.container))
  }

  /** For each group: 1 if it belongs to the organization, or if none is given. */
  inOrganization(organization: string | undefined): Uint8Array {
    return this.#groupFlags(
      (group) => organization === undefined || group.organization === organization,
    )
  }

  #groupFlags(matches: (group: Group) => boolean): Uint8Array {
    return Uint8Array.from(this.#groups, (group) => (group && matches(group) ? 1 : 0))
  }

  #reserve(length: number): void {
    this.#end = Math.max(this.#end, length)
    if (length <= this.#groupByRowid.length) return
    const capacity = Math.max(length, Math.ceil(this.#groupByRowid.length * 1.5))
    for (const [column, assign] of [
      [this.#groupByRowid, (to: Uint32Array<ArrayBuffer>) => (this.#groupByRowid = to)],
      [this.#sizeByRowid, (to: Uint32Array<ArrayBuffer>) => (this.#sizeByRowid = to)],
    ] as const) {
      const grown = new Uint32Array(capacity)
      grown.set(column)
      assign(grown)
    }
  }
}

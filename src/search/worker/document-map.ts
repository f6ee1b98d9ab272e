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

/** Not a group: an unknown text. */
const unknown = 0

export class DocumentMap {
  /** Number of a text's type and container, by rowid. */
  #groupOf = new Uint32Array(1024)
  #sizeOf = new Uint32Array(1024)
  readonly #numbers = new Map<string, number>()
  readonly #groups: (Group | undefined)[] = [undefined]
  readonly #totals = new Map<string, Totals>()
  #end = 0

  /** Above all known rowids. */
  get end(): number {
    return this.#end
  }

  isKnown(rowid: number): boolean {
    return this.groupAt(rowid) !== unknown
  }

  groupAt(rowid: number): number {
    return this.#groupOf[rowid] ?? unknown
  }

  /** Bytes of a text. */
  sizeAt(rowid: number): number {
    return this.#sizeOf[rowid] ?? 0
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
  number({ org_id, item_type, container }: Omit<DocumentRow, 'rowid_' | 'size'>): number {
    const name = `${item_type} ${container}`
    const existing = this.#numbers.get(name)
    if (existing !== undefined) return existing
    this.#groups.push({ organization: org_id, type: item_type, container })
    this.#numbers.set(name, this.#groups.length - 1)
    return this.#groups.length - 1
  }

  set(row: DocumentRow): void {
    this.drop(row.rowid_)
    this.#reserve(row.rowid_ + 1)
    this.#groupOf[row.rowid_] = this.number(row)
    this.#sizeOf[row.rowid_] = row.size
    const totals = this.#totals.get(row.org_id) ?? { texts: 0, bytes: 0 }
    totals.texts++
    totals.bytes += row.size
    this.#totals.set(row.org_id, totals)
  }

  drop(rowid: number): void {
    const group = this.#groups[this.groupAt(rowid)]
    const totals = group && this.#totals.get(group.organization)
    if (!totals) return
    totals.texts--
    totals.bytes -= this.sizeAt(rowid)
    this.#groupOf[rowid] = unknown
  }

  /** Array by number of type and container: 1 if it is searched completely. */
  whole(filter: ScopeFilter): Uint8Array {
    return this.#flags((group) => filter.isWhole(group.type, group.container))
  }

  /** The same array for an organization; undefined: for all. */
  ofOrganization(organization: string | undefined): Uint8Array {
    return this.#flags((group) => organization === undefined || group.organization === organization)
  }

  #flags(holds: (group: Group) => boolean): Uint8Array {
    return Uint8Array.from(this.#groups, (group) => (group && holds(group) ? 1 : 0))
  }

  #reserve(length: number): void {
    this.#end = Math.max(this.#end, length)
    if (length <= this.#groupOf.length) return
    const room = Math.max(length, Math.ceil(this.#groupOf.length * 1.5))
    for (const [column, put] of [
      [this.#groupOf, (to: Uint32Array<ArrayBuffer>) => (this.#groupOf = to)],
      [this.#sizeOf, (to: Uint32Array<ArrayBuffer>) => (this.#sizeOf = to)],
    ] as const) {
      const more = new Uint32Array(room)
      more.set(column)
      put(more)
    }
  }
}

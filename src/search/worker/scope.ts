// Filter for the scope of a search: the containers of the scope, and in containers that the caller sees only
// in part, the visible items.

import type { VisibleItems, SearchScope } from './protocol.ts'

interface VisibleSets {
  containers: ReadonlySet<string>
  items: ReadonlySet<string>
}

/** Types of texts that are shown as items of another type. */
const displayTypes: Readonly<Record<string, string>> = { transcript: 'meeting' }
export const kindOfType = (type: string) => displayTypes[type] ?? type
export const typesOfKinds = (kinds: readonly string[]) => [
  ...new Set(
    kinds.flatMap((kind) => [
      kind,
      ...Object.keys(displayTypes).filter((type) => displayTypes[type] === kind),
    ]),
  ),
]

export class ScopeFilter {
  readonly #containers: ReadonlySet<string> | null
  readonly #types: ReadonlySet<string>
  readonly #visible: ReadonlyMap<string, VisibleSets> | undefined
  /** Visible items in containers that are only partly visible. */
  readonly items: readonly string[]

  constructor({ containers, types, visible }: SearchScope) {
    this.#containers = containers && new Set(containers)
    this.#types = new Set(types)
    this.#visible =
      visible &&
      new Map(
        visible.map((visibleItems): [string, VisibleSets] => [
          visibleItems.type,
          toVisibleSets(visibleItems),
        ]),
      )
    this.items = visible?.flatMap((visibleItems) => visibleItems.items) ?? []
  }

  /** True if a container is searched completely for a type. */
  isFullySearched(type: string, container: string): boolean {
    if (!this.#types.has(type)) return false
    return this.#visible
      ? this.#visibleOf(type)?.containers.has(container) === true
      : this.#containers === null || this.#containers.has(container)
  }

  has(type: string, container: string, item: string): boolean {
    return (
      this.isFullySearched(type, container) ||
      (this.#types.has(type) && this.#visibleOf(type)?.items.has(item) === true)
    )
  }

  #visibleOf(type: string): VisibleSets | undefined {
    return this.#visible?.get(type) ?? this.#visible?.get(kindOfType(type))
  }
}

function toVisibleSets({ containers, items }: VisibleItems): VisibleSets {
  return { containers: new Set(containers), items: new Set(items) }
}

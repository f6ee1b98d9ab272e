// Filter for the scope of a search: the containers of the scope, and in containers that the caller sees only
// in part, the visible items.

import type { VisibleItems, SearchScope } from './protocol.ts'

interface Known {
  containers: ReadonlySet<string>
  items: ReadonlySet<string>
}

/** Item types with separate texts, and the kinds that they are shown as. */
const shownAs: Readonly<Record<string, string>> = { transcript: 'meeting' }
export const kindOfType = (type: string) => shownAs[type] ?? type
export const typesOfKinds = (kinds: readonly string[]) => [
  ...new Set(
    kinds.flatMap((kind) => [
      kind,
      ...Object.keys(shownAs).filter((type) => shownAs[type] === kind),
    ]),
  ),
]

export class ScopeFilter {
  readonly #containers: ReadonlySet<string> | null
  readonly #types: ReadonlySet<string>
  readonly #visible: ReadonlyMap<string, Known> | undefined
  /** Visible items in containers that are only partly visible. */
  readonly items: readonly string[]

  constructor({ containers, types, visible }: SearchScope) {
    this.#containers = containers && new Set(containers)
    this.#types = new Set(types)
    this.#visible =
      visible &&
      new Map(
        visible.map((visibleItems): [string, Known] => [visibleItems.type, known(visibleItems)]),
      )
    this.items = visible?.flatMap((visibleItems) => visibleItems.items) ?? []
  }

  /** True if a container is searched completely for a type. */
  isWhole(type: string, container: string): boolean {
    if (!this.#types.has(type)) return false
    return this.#visible
      ? this.#kindOf(type)?.containers.has(container) === true
      : this.#containers === null || this.#containers.has(container)
  }

  has(type: string, container: string, item: string): boolean {
    return (
      this.isWhole(type, container) ||
      (this.#types.has(type) && this.#kindOf(type)?.items.has(item) === true)
    )
  }

  #kindOf(type: string): Known | undefined {
    return this.#visible?.get(type) ?? this.#visible?.get(kindOfType(type))
  }
}

function known({ containers, items }: VisibleItems): Known {
  return { containers: new Set(containers), items: new Set(items) }
}

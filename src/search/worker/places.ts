// Where a search looks: in the containers of its scope, and in those that its caller sees only in part, at the items that they see there.

import type { Place, Scope } from '../protocol.ts'

interface Known {
  containers: ReadonlySet<string>
  items: ReadonlySet<string>
}

/** Items whose texts are told apart from others of their kind, under the kind that they are shown as. */
const shownAs: Readonly<Record<string, string>> = { transcript: 'meeting' }
export const kindOf = (type: string) => shownAs[type] ?? type
export const typesOf = (kinds: readonly string[]) => [
  ...new Set(
    kinds.flatMap((kind) => [
      kind,
      ...Object.keys(shownAs).filter((type) => shownAs[type] === kind),
    ]),
  ),
]

export class Places {
  readonly #containers: ReadonlySet<string> | null
  readonly #types: ReadonlySet<string>
  readonly #places: ReadonlyMap<string, Known> | undefined
  /** Items that are seen in containers of which not all is seen. */
  readonly items: readonly string[]

  constructor({ containers, types, places }: Scope) {
    this.#containers = containers && new Set(containers)
    this.#types = new Set(types)
    this.#places = places && new Map(places.map((one): [string, Known] => [one.type, known(one)]))
    this.items = places?.flatMap((one) => one.items) ?? []
  }

  /** Whether all that lies in a container of a type is to be looked at. */
  isWhole(type: string, container: string): boolean {
    if (!this.#types.has(type)) return false
    return this.#places
      ? this.#of(type)?.containers.has(container) === true
      : this.#containers === null || this.#containers.has(container)
  }

  has(type: string, container: string, item: string): boolean {
    return (
      this.isWhole(type, container) ||
      (this.#types.has(type) && this.#of(type)?.items.has(item) === true)
    )
  }

  #of(type: string): Known | undefined {
    return this.#places?.get(type) ?? this.#places?.get(kindOf(type))
  }
}

function known({ containers, items }: Place): Known {
  return { containers: new Set(containers), items: new Set(items) }
}

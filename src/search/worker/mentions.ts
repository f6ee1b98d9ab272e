// Finds texts that mention an item by its title, and items that a text mentions.

import { matchName } from '../full-text.ts'
import { lowerCaseWords } from '../tokens.ts'
import type { Link } from './protocol.ts'
import type { Doc, DocLocation } from './document-map.ts'
import type { Item, SearchData } from './search-data.ts'
import { titlesInText } from './titles.ts'

/** Maximum items that mention a name; a more frequent name is not significant. */
const maxSameNamed = 25
/** Characters of a text that are searched for names. */
const maxCharacters = 20_000

/** The texts considered for names. */
interface MentionScope {
  /** Whether a text may be included, as far as that is known without reading it. */
  isSearchable(rowid: number): boolean
  isInScope(location: DocLocation): boolean
  read(rowids: readonly number[]): ReadonlyMap<number, Doc>
}

export class Mentions {
  readonly #data: SearchData
  readonly #scope: MentionScope

  constructor(data: SearchData, scope: MentionScope) {
    this.#data = data
    this.#scope = scope
  }

  /** Links from some items to the items that their texts name, and to items that name them. */
  linksFrom(best: readonly Item[]): Link[] {
    return best.flatMap((item) => {
      const mentioned = new Set<string>()
      for (const { doc } of item.texts) {
        const text = this.#data.texts.body(doc.rowid_).slice(0, maxCharacters)
        for (const name of titlesInText(
          text,
          (entry) => this.#uniqueItemNamed(entry) !== undefined,
        ))
          if (this.#itemsMentioning(name).length <= maxSameNamed)
            mentioned.add(this.#uniqueItemNamed(name)!)
      }
      const ownName = this.#data.texts.titles.nameOf(item.id)
      const mentioningItems =
        ownName === undefined || this.#uniqueItemNamed(ownName) !== item.id
          ? []
          : this.#itemsMentioning(ownName)
      if (mentioningItems.length <= maxSameNamed)
        for (const name of mentioningItems) mentioned.add(name)
      mentioned.delete(item.id)
      return [...mentioned].map((to) => ({ from: item.id, to, kind: 'mention', weight: 1 }))
    })
  }

  readonly #uniqueItems = new Map<string, string | undefined>()

  /**
   * The item with a name, if it is unique within the search. Most runs of words are not names: they cost one lookup in
   * a map.
   */
  #uniqueItemNamed(name: string): string | undefined {
    const items = this.#data.texts.titles.itemsOf(name)
    if (items.size === 0) return undefined
    if (this.#uniqueItems.has(name)) return this.#uniqueItems.get(name)
    const bearers: string[] = []
    for (const id of items) {
      const location = this.#data.texts.locationOf(id)
      if (location && this.#scope.isInScope(location)) bearers.push(id)
      if (bearers.length > 1) break
    }
    const bearer = bearers.length === 1 ? bearers[0] : undefined
    this.#uniqueItems.set(name, bearer)
    return bearer
  }

  readonly #texts = new Map<string, string[]>()

  /** The items whose texts contain a name literally; one more than the maximum if there are too many. */
  #itemsMentioning(name: string): string[] {
    const cached = this.#texts.get(name)
    if (cached) return cached
    const rowids = this.#data.statements
      .get('select rowid from search_fts where search_fts match ?')
      .pluck()
      .iterate(matchName(lowerCaseWords(name))) as IterableIterator<number>
    const hits: number[] = []
    for (const rowid of rowids) {
      if (this.#scope.isSearchable(rowid)) hits.push(rowid) // texts outside the search do not count toward the limit
      if (hits.length >= 4 * maxSameNamed) break
    }
    const docs = this.#scope.read(hits)
    const items = new Set<string>()
    for (const doc of hits.flatMap((hit) => docs.get(hit) ?? [])) {
      if (items.size > maxSameNamed) break
      if (items.has(doc.item_id) || !this.#scope.isInScope(doc)) continue
      if (this.#data.texts.body(doc.rowid_).includes(name)) items.add(doc.item_id)
    }
    const itemIds = [...items]
    this.#texts.set(name, itemIds)
    return itemIds
  }
}

// Titles of items that other texts name: "as agreed in Pricing Review 2026" links the text to that item.

const word = /[\p{L}\p{N}][\p{L}\p{N}\p{M}'’.-]*/gu
const functionWords = new Set(
  'a an and as at by for from in into of on or the to with de der die das du et la le und van von'.split(
    ' ',
  ),
)
/** Maximum words of a title that can be mentioned. */
const maxNameWords = 6

function wordsIn(text: string): { word: string; index: number }[] {
  return [...text.matchAll(word)].map((match) => ({
    word: match[0].replace(/['’]s$/u, '').replace(/[.'’-]+$/u, ''),
    index: match.index,
  }))
}

const isCapitalized = (text: string) => /^[\p{Lu}\p{N}]/u.test(text)

/**
 * Returns the name by which other texts mention a title; undefined if it does not qualify as a name: it must be capitalized and more
 * than a short word.
 */
export function mentionNameOf(title: string): string | undefined {
  const words = wordsIn(title.slice(0, 200).replace(/\s*\(.*\)$/, '')).map((item) => item.word)
  const nameWords = words.filter((name) => !functionWords.has(name))
  if (words.length === 0 || words.length > maxNameWords || !nameWords.every(isCapitalized))
    return undefined
  if (nameWords.length < 2 && (nameWords[0]?.length ?? 0) < 4) return undefined
  return words.join(' ')
}

/** The known names in a text; a single word at the start of a sentence does not count. */
export function titlesInText(text: string, isKnown: (name: string) => boolean): Set<string> {
  const words = wordsIn(text)
  const names = new Set<string>()
  for (const [i, { word: first, index }] of words.entries()) {
    if (!isCapitalized(first)) continue
    const startsSentence = /(?:^|[.!?:\n]\s*["'(]?)$/.test(
      text.slice(Math.max(0, index - 4), index),
    )
    let name = ''
    for (let n = 0; n < maxNameWords && i + n < words.length; n++) {
      name = n === 0 ? first : `${name} ${words[i + n]!.word}`
      if (!(n === 0 && startsSentence) && isKnown(name)) names.add(name)
    }
  }
  return names
}

const noItems: ReadonlySet<string> = new Set()

/** The titles of items that can be mentioned. The search decides which of the items with a name it may use. */
export class TitleIndex {
  /** Items by name. */
  readonly #items = new Map<string, Set<string>>()
  readonly #names = new Map<string, string>()

  /** Sets an item's current title; undefined if it was deleted. */
  set(item: string, title: string | undefined): void {
    const [previousName, currentName] = [
      this.#names.get(item),
      title === undefined ? undefined : mentionNameOf(title),
    ]
    if (previousName === currentName) return
    if (previousName !== undefined) this.#items.get(previousName)?.delete(item)
    if (currentName === undefined) this.#names.delete(item)
    else {
      this.#names.set(item, currentName)
      const items = this.#items.get(currentName)
      if (items) items.add(item)
      else this.#items.set(currentName, new Set([item]))
    }
  }

  itemsOf(name: string): ReadonlySet<string> {
    return this.#items.get(name) ?? noItems
  }

  nameOf(item: string): string | undefined {
    return this.#names.get(item)
  }
}

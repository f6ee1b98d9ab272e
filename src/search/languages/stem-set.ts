import { formsOf } from './forms.ts'
import { stem } from '../stem.ts'
import { stemHash } from '../tokens.ts'

/** The English stems of some words, with the words that they match in texts, including forms in other languages. */
export class StemSet extends Set<string> {
  readonly #words: readonly string[]
  #byHash: ReadonlyMap<number, readonly string[]> | undefined

  constructor(words: readonly string[] = []) {
    super()
    this.#words = words
    for (const word of words) this.add(stem(word))
  }

  /** Stems by hash of a stem or a form, as computed by `stemHash`. */
  get byHash(): ReadonlyMap<number, readonly string[]> {
    this.#byHash ??= stemsByHash(this.#words)
    return this.#byHash
  }
}

function stemsByHash(words: readonly string[]): ReadonlyMap<number, readonly string[]> {
  const stems = new Map<number, string[]>()
  for (const word of words) {
    const stemmed = stem(word)
    for (const hash of [stemmed, ...formsOf(word)].map(stemHash)) {
      const existing = stems.get(hash) ?? []
      if (!existing.includes(stemmed)) stems.set(hash, [...existing, stemmed])
    }
  }
  return stems
}

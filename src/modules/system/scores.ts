// Scores how well tools match a query in words: by words of their names, hints, descriptions, modules and arguments, and
// by meaning, from the table
// of word vectors shipped with the program. It runs on the calling thread and is deterministic.

import { setImmediate as yieldToEventLoop } from 'node:timers/promises'
import type { Kind } from '../../operations/any-operation.ts'
import { vectorNorm } from '../../search/worker/embeddings.ts'
import type { StaticTable } from '../../search/worker/static-table.ts'
import { Vectors, sharedTable } from './tool-vectors.ts'
import {
  type WishWord,
  questionStart,
  stopWordStems,
  stems,
  significantWords,
} from './wish-words.ts'

export interface ToolDescription {
  name: string
  kind: Kind
  aliases: readonly string[]
  module: string
  about: string
  /** Phrases separated by commas. */
  hint: string
  arguments: readonly string[]
}

/** Weight of each part of a tool's text, and the degree to which its length reduces the score. */
const fields = {
  name: { weight: 3, spread: 0.6 },
  hint: { weight: 2.2, spread: 0.5 },
  about: { weight: 1.2, spread: 0.6 },
  module: { weight: 0.8, spread: 0 },
  arguments: { weight: 0.3, spread: 0.8 },
} as const
type Field = keyof typeof fields
const fieldNames = Object.keys(fields) as Field[]

/** Saturation of repeated words: the lower, the sooner another occurrence stops counting. */
const saturation = 1.2
/** Weight of a synonym. */
const synonymShare = 0.5
/** Weight of a word similar in meaning, as a share of its similarity; minimum similarity; number of words examined. */
const nearShare = 0.55
const minWordSimilarity = 0.45
const maxNear = 8
/** Weight of a match with the beginning of a longer word. */
const beginningShare = 0.6
/** Weights of the three signals. */
const shares = { words: 1, phrase: 1.2, meaning: 1 }
/** Minimum similarity at which meaning alone counts. */
const minMeaning = 0.5
/** Minimum score of a tool that is related to the wish. */
const minScore = 0.12
/** Score penalties for tools of the other kind, and for irreversible tools. */
const otherKindPenalty = 0.12
const destructivePenalty = 0.05

/** One tool, with its words already split. */
interface IndexedTool {
  kind: Kind
  counts: Record<Field, ReadonlyMap<string, number>>
  lengths: Record<Field, number>
  /** Stems of the phrases that people use for it, per phrase. */
  phrases: readonly (readonly string[])[]
}

export class ToolScores {
  readonly #tools: readonly IndexedTool[]
  readonly #mean: Record<Field, number>
  /** Number of tools that contain each stem. */
  readonly #frequency = new Map<string, number>()
  /** Number of phrases that contain each stem, and number of phrases in total. */
  readonly #passages = new Map<string, number>()
  readonly #phraseCount: number
  readonly #table: StaticTable
  /** Vectors of the phrases of each tool. */
  readonly #vectors: Vectors[] = []
  /** Stems that have a vector, and their vectors. */
  #near: { stems: string[]; vectors: Vectors } = { stems: [], vectors: new Vectors([]) }

  /** Splits the texts of tools and computes their vectors in batches, so that other work is not blocked for long. */
  static async make(tools: readonly ToolDescription[]): Promise<ToolScores> {
    const scores = new ToolScores(tools, sharedTable())
    const phrases = tools.map(phrasesOf)
    for (const [i, some] of phrases.entries()) {
      scores.#vectors.push(new Vectors(some.map((phrase) => scores.#vectorOf(stems(phrase)))))
      if (i % 20 === 0) await yieldToEventLoop()
    }
    await yieldToEventLoop()
    const stemVectors = [...scores.#frequency.keys()]
      .map((key): [string, Float32Array] => [key, scores.#vectorOf([key])])
      .filter(([, vector]) => vector.some((x) => x !== 0))
    scores.#near = {
      stems: stemVectors.map(([one]) => one),
      vectors: new Vectors(stemVectors.map(([, vector]) => vector)),
    }
    return scores
  }

  private constructor(tools: readonly ToolDescription[], table: StaticTable) {
    const texts = tools.map(toolTextsOf)
    const phrases = tools.map(phrasesOf)
    this.#table = table
    this.#phraseCount = phrases.flat().length
    for (const phrase of phrases.flat())
      for (const name of new Set(stems(phrase)))
        this.#passages.set(name, (this.#passages.get(name) ?? 0) + 1)
    this.#tools = texts.map((text, i) => ({
      kind: tools[i]!.kind,
      counts: mapFields((name) => wordCountsOf(text[name])),
      lengths: mapFields((name) => text[name].length),
      phrases: phrases[i]!.map((phrase) => [...new Set(stems(phrase))]),
    }))
    for (const { counts } of this.#tools) {
      for (const item of new Set(fieldNames.flatMap((name) => [...counts[name].keys()])))
        this.#frequency.set(item, (this.#frequency.get(item) ?? 0) + 1)
    }
    this.#mean = mapFields(
      (name) =>
        this.#tools.reduce((sum, tool) => sum + tool.lengths[name], 0) / this.#tools.length || 1,
    )
  }

  /** Scores the tools in the order in which they were passed; 0: no match. */
  scoreAll(wish: string): number[] {
    const all = [...new Set(stems(wish))]
    const wanted = significantWords(wish)
    if (wanted.length === 0) return this.#tools.map(() => 0)
    const wordScale =
      wanted.reduce((sum, item) => sum + this.#idf(item.stem), 0) *
        (fields.name.weight + fields.hint.weight) *
        0.5 || 1
    const vector = this.#vectorOf(stems(wish))
    const others = wanted.map((item) => this.#othersOf(item))
    const isQuestion = questionStart.test(wish.trim().toLowerCase())
    return this.#tools.map((tool, at) => {
      const words = Math.min(
        1.5,
        wanted.reduce((sum, item, i) => sum + this.#word(item, others[i]!, tool), 0) / wordScale,
      )
      const phrase = tool.phrases.reduce(
        (best, phraseStems) => Math.max(best, this.#overlap(all, phraseStems)),
        0,
      )
      const meaning = Math.max(0, ...this.#vectors[at]!.products(vector))
      const score =
        shares.words * words +
        shares.phrase * phrase +
        shares.meaning * (meaning >= minMeaning || words > 0 ? meaning : 0)
      if (score < minScore || (words === 0 && meaning < minMeaning)) return 0
      const adjusted =
        score -
        ((tool.kind === 'read') === isQuestion ? 0 : otherKindPenalty) -
        (tool.kind === 'destructive' ? destructivePenalty : 0)
      return Math.round(Math.max(0.01, adjusted) * 10_000) / 10_000
    })
  }

  #word({ stem }: WishWord, others: ReadonlyMap<string, number>, tool: IndexedTool): number {
    let best = this.#field(stem, tool)
    for (const [other, share] of others) best = Math.max(best, this.#field(other, tool) * share)
    return best * this.#idf(stem)
  }

  /**
   * Other stems that match a word, with their weights: synonyms, longer words that start with it, and words with a
   * similar meaning.
   */
  #othersOf({ stem: wishStem, text, synonymStems }: WishWord): Map<string, number> {
    const others = new Map<string, number>()
    const nearness = this.#near.vectors.products(this.#vectorOf([wishStem]))
    const near = nearness.flatMap((similarity, i): [string, number][] =>
      similarity >= minWordSimilarity && this.#near.stems[i] !== wishStem
        ? [[this.#near.stems[i]!, similarity]]
        : [],
    )
    for (const [other, by] of near.sort((a, b) => b[1] - a[1]).slice(0, maxNear))
      others.set(other, by * nearShare)
    for (const other of synonymStems) others.set(other, synonymShare)
    if (text.length >= 4 && !this.#frequency.has(wishStem))
      for (const other of this.#frequency.keys())
        if (other.startsWith(text)) others.set(other, beginningShare)
    return others
  }

  #field(item: string, { counts, lengths }: IndexedTool): number {
    let sum = 0
    for (const name of fieldNames) {
      const n = counts[name].get(item)
      if (n === undefined) continue
      const { weight, spread } = fields[name]
      sum += (weight * n) / (1 - spread + (spread * lengths[name]) / this.#mean[name])
    }
    return (sum * (saturation + 1)) / (sum + saturation)
  }

  /** Measures the share of the query that a phrase covers, and the share of the phrase that the query covers. */
  #overlap(wish: readonly string[], phrase: readonly string[]): number {
    const shared = this.#mass(wish.filter((name) => phrase.includes(name)))
    return shared === 0 ? 0 : (2 * shared) / (this.#mass(wish) + this.#mass(phrase))
  }

  #mass(stems: readonly string[]): number {
    return stems.reduce(
      (sum, name) => sum + this.#idf(name) * (stopWordStems.has(name) ? 0.3 : 1),
      0,
    )
  }

  /** The vector of a text, from its stems, with more weight on rare ones; all zeros if the table knows none of them. */
  #vectorOf(words: readonly string[]): Float32Array {
    const vector = new Float32Array(this.#table.dimensions)
    for (const [word, times] of wordCountsOf(words)) {
      const rarity = Math.log(1 + (this.#phraseCount + 1) / ((this.#passages.get(word) ?? 0) + 1))
      this.#table.addTo(vector, word, (1 + Math.log(times)) * Math.sqrt(rarity))
    }
    const length = vectorNorm(vector)
    if (length > 0) for (let i = 0; i < vector.length; i++) vector[i]! /= length
    return vector
  }

  #idf(name: string): number {
    return Math.log(1 + this.#tools.length / (1 + (this.#frequency.get(name) ?? 0)))
  }
}

function toolTextsOf({
  name,
  aliases,
  module,
  about,
  hint,
  arguments: args,
}: ToolDescription): Record<Field, readonly string[]> {
  return {
    name: stems([name, ...aliases].join(' ').replaceAll('_', ' ')),
    hint: stems(hint),
    about: stems(about),
    module: stems(module),
    arguments: stems(args.join(' ').replaceAll('_', ' ')),
  }
}

function phrasesOf({ name, about, hint }: ToolDescription): string[] {
  return [
    name.replaceAll('_', ' '),
    about.split(/[;:]/)[0]!,
    ...hint.split(',').map((part) => part.trim()),
  ].filter((item) => item !== '')
}

function wordCountsOf(words: readonly string[]): Map<string, number> {
  const counts = new Map<string, number>()
  for (const word of words) counts.set(word, (counts.get(word) ?? 0) + 1)
  return counts
}

function mapFields<T>(make: (name: Field) => T): Record<Field, T> {
  return Object.fromEntries(fieldNames.map((name) => [name, make(name)])) as Record<Field, T>
}

// What the thread of search is asked, and what it answers.

import type { Why } from './ranking.ts'

/** What the caller sees of a type. */
export interface Place {
  type: string
  /** Where they see everything of it. */
  containers: readonly string[]
  /** What they see of it elsewhere. */
  items: readonly string[]
}

/** Where a search looks. */
export interface Scope {
  /** SearchText.container of what may be found; null: everything. */
  containers: readonly string[] | null
  /** Of these types only, as search_docs calls them. */
  types: readonly string[]
  /** What of that the caller sees, type by type: nothing else has a part in the search. Without it they see all. */
  places?: readonly Place[]
  after?: number | undefined
  before?: number | undefined
  /** These items only. */
  items?: readonly string[]
}

/** A vector of some text that is like what is looked for, of a space that the thread does not make itself. */
export interface GivenVector {
  space: string
  vector: Float32Array
}

export interface Look {
  /** The query, or the text to which others are to be like. */
  text: string
  scope: Scope
  /** keyword: words only; semantic: meaning only. */
  mode: 'keyword' | 'semantic' | 'hybrid'
  given?: GivenVector | undefined
  /** Each text is found by itself, under its ref, in place of the item that it is from (the lines of a transcript). */
  each?: boolean | undefined
  /** An item that is itself left out. */
  except?: string | undefined
  /** Candidates at most; the rule is 150. */
  most?: number
  /** false: what the best of them name, and who names them, is not looked for. */
  links?: boolean | undefined
}

/** An item that may be among the answers, best first; nobody has asked yet whether the caller may see it. */
export interface Candidate {
  /** The item's, or the ref of the text where each is found by itself. */
  id: string
  item_id: string
  item_type: string
  /** Of words and meaning, 0 to 1. */
  base: number
}

export interface Looked {
  candidates: Candidate[]
  /** What names the best of them, or is named by them. */
  mentions: Link[]
  /** Whether meaning took part: there are vectors, and a word of the query has one. */
  byMeaning: boolean
  /** The space that answered. */
  space: string | undefined
  /** Texts that wait for their vectors. */
  pending: number
  /** What of the words was not looked at, in words. */
  bound: string | undefined
}

export interface Link {
  from: string
  to: string
  /** What it is: reply, parent, mention … */
  kind: string
  /** 0 to 1. */
  weight: number
}

export interface Rank {
  /** The items that the caller may see, by the ids of the candidates. */
  allowed: readonly string[]
  links: readonly Link[]
  /** Items that lend to their neighbours as the best hit does. */
  near?: readonly string[]
  most: number
  /** The hits that are shown, which alone need a snippet; undefined: all of them. */
  page?: { limit: number; behind?: { score: number; id: string } | undefined } | undefined
}

export interface Ranked {
  /** As the candidate's. */
  id: string
  item_id: string
  item_type: string
  score: number
  why: Why
  /** The cosine of its nearest passage, 0 to 1: unlike the score it says how near, not only which is nearest. */
  nearness: number
  /** How far that is above what all the others have, in standard deviations. */
  above: number
  /** Whether words, meaning, links brought it. */
  by: ('keyword' | 'vector' | 'graph')[]
  /** Through which better hits it came. */
  via: { from: string; kind: string }[]
  part: string
  ref: string
  title: string
  /** Where the passage that is nearest in meaning begins in the text; undefined where words alone brought it. */
  start: number | undefined
  snippet: string
  /** Where words of the query stand in the snippet: [start, length] in characters. */
  ranges: [number, number][]
  at: number
}

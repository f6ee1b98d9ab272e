// Filters and paths of SCIM (RFC 7644, 3.4.2.2 and 3.5.2). The text is untrusted: its length, depth and number of
// comparisons are limited, and parsing takes linear time.

import { ScimRefusal, type ScimType } from './refusals.ts'

export type Comparison = 'eq' | 'ne' | 'co' | 'sw' | 'ew' | 'gt' | 'ge' | 'lt' | 'le'
export type FilterValue = string | number | boolean | null

/** Attribute names are in lower case, without the schema prefix of users or groups. */
export type Filter =
  | { kind: 'and'; left: Filter; right: Filter }
  | { kind: 'or'; left: Filter; right: Filter }
  | { kind: 'not'; operand: Filter }
  | { kind: 'present'; attribute: string }
  | { kind: 'compare'; attribute: string; comparison: Comparison; value: FilterValue }
  | { kind: 'within'; attribute: string; filter: Filter }

/** Target of a PATCH operation: `emails[type eq "work"].value`. */
export interface Path {
  attribute: string
  filter: Filter | undefined
  subAttribute: string | undefined
}

const maxLength = 2000
const maxDepth = 10
const maxComparisons = 50
const comparisons = new Set<string>(['eq', 'ne', 'co', 'sw', 'ew', 'gt', 'ge', 'lt', 'le'])
const coreSchema = /^urn:ietf:params:scim:schemas:core:2\.0:(?:user|group):/
const tokenPattern =
  /\s*(?:([()[\]])|("(?:[^"\\]|\\.)*")|(-?\d+(?:\.\d+)?(?![\w.:-]))|(\.?[\p{L}$_][\p{L}\p{N}\w$.:/-]*))/uy

/** @throws ScimRefusal invalidFilter */
export function parseFilter(text: string): Filter {
  const parser = new Parser(text, 'invalidFilter')
  const filter = parser.filter()
  parser.requireEnd()
  return filter
}

/** @throws ScimRefusal invalidPath */
export function parsePath(text: string): Path {
  const parser = new Parser(text, 'invalidPath')
  const path = parser.path()
  parser.requireEnd()
  return path
}

/** The terms of a filter that consists of `eq` comparisons joined by `and`; undefined for other filters. */
export function equalityTerms(
  filter: Filter,
): { attribute: string; value: FilterValue }[] | undefined {
  if (filter.kind === 'compare' && filter.comparison === 'eq') return [filter]
  if (filter.kind !== 'and') return undefined
  const [left, right] = [equalityTerms(filter.left), equalityTerms(filter.right)]
  return left && right && [...left, ...right]
}

class Parser {
  readonly #tokens: string[]
  readonly #type: ScimType
  #position = 0
  #comparisons = 0

  constructor(text: string, type: ScimType) {
    this.#type = type
    if (text.length > maxLength) throw this.#error(`has more than ${maxLength} characters`)
    this.#tokens = this.#tokenize(text)
  }

  #tokenize(text: string): string[] {
    const tokens: string[] = []
    tokenPattern.lastIndex = 0
    while (tokenPattern.lastIndex < text.trimEnd().length) {
      const at = tokenPattern.lastIndex
      const match = tokenPattern.exec(text)
      if (!match) throw this.#error(`cannot be read at position ${at + 1}`)
      tokens.push(match[0].trimStart())
    }
    return tokens
  }

  filter(depth = 0): Filter {
    let left = this.#conjunction(depth)
    while (this.#takeWord('or')) left = { kind: 'or', left, right: this.#conjunction(depth) }
    return left
  }

  path(): Path {
    const [attribute, sub] = this.#name()
    if (sub !== undefined || !this.#takeSymbol('['))
      return { attribute, filter: undefined, subAttribute: sub }
    const filter = this.filter(1)
    this.#require(']')
    return { attribute, filter, subAttribute: this.#subAttribute() }
  }

  requireEnd(): void {
    const rest = this.#tokens[this.#position]
    if (rest !== undefined) throw this.#error(`has ${JSON.stringify(rest)} where it should end`)
  }

  #conjunction(depth: number): Filter {
    let left = this.#term(depth)
    while (this.#takeWord('and')) left = { kind: 'and', left, right: this.#term(depth) }
    return left
  }

  #term(depth: number): Filter {
    if (depth > maxDepth) throw this.#error(`is nested deeper than ${maxDepth} levels`)
    if (this.#takeWord('not')) {
      this.#require('(')
      return { kind: 'not', operand: this.#enclosed(')', depth) }
    }
    if (this.#takeSymbol('(')) return this.#enclosed(')', depth)
    const [name, sub] = this.#name()
    if (sub === undefined && this.#takeSymbol('[')) return this.#valuePath(name, depth)
    return this.#comparison(sub === undefined ? name : `${name}.${sub}`)
  }

  /** `emails[type eq "work"]`, optionally followed by a comparison of a part: `.value eq "ada@example.org"`. */
  #valuePath(attribute: string, depth: number): Filter {
    const elements: Filter = { kind: 'within', attribute, filter: this.#enclosed(']', depth) }
    const sub = this.#subAttribute()
    if (sub === undefined) return elements
    return { kind: 'and', left: elements, right: this.#comparison(`${attribute}.${sub}`) }
  }

  #subAttribute(): string | undefined {
    const next = this.#tokens[this.#position]
    if (!next?.startsWith('.')) return undefined
    if (next.includes('__proto__')) throw this.#error('names no attribute')
    this.#position++
    return next.slice(1).toLowerCase()
  }

  #enclosed(end: string, depth: number): Filter {
    const inner = this.filter(depth + 1)
    this.#require(end)
    return inner
  }

  #comparison(attribute: string): Filter {
    if (++this.#comparisons > maxComparisons)
      throw this.#error(`has more than ${maxComparisons} comparisons`)
    const comparison = this.#tokens[this.#position++]?.toLowerCase()
    if (comparison === 'pr') return { kind: 'present', attribute }
    if (comparison === undefined || !comparisons.has(comparison))
      throw this.#error(`has no comparison such as eq after ${attribute}`)
    return {
      kind: 'compare',
      attribute,
      comparison: comparison as Comparison,
      value: this.#value(attribute),
    }
  }

  #value(attribute: string): FilterValue {
    const text = this.#tokens[this.#position++] ?? ''
    const isWord = /^[\p{L}$_]/u.test(text) && !/^(?:true|false|null)$/i.test(text)
    if (isWord) return text // some providers leave the quotes out
    try {
      const value: unknown = JSON.parse(
        /^(?:true|false|null)$/i.test(text) ? text.toLowerCase() : text,
      )
      if (value === null || ['string', 'number', 'boolean'].includes(typeof value))
        return value as FilterValue
    } catch {
      // not a JSON value: reported below
    }
    throw this.#error(
      `has no value after ${attribute}; text with spaces or symbols has to be in double quotes`,
    )
  }

  /** A name, and its part after the dot; dots in a schema name belong to the name. */
  #name(): [name: string, sub: string | undefined] {
    const word = this.#tokens[this.#position]
    if (word === undefined || !/^[A-Za-z$]/.test(word) || word.includes('__proto__'))
      throw this.#error('lacks an attribute')
    this.#position++
    const name = word.toLowerCase().replace(coreSchema, '')
    const dot = name.startsWith('urn:') ? -1 : name.indexOf('.')
    return dot < 0 ? [name, undefined] : [name.slice(0, dot), name.slice(dot + 1)]
  }

  #takeSymbol(symbol: string): boolean {
    const isNext = this.#tokens[this.#position] === symbol
    if (isNext) this.#position++
    return isNext
  }

  #takeWord(word: string): boolean {
    const isNext = this.#tokens[this.#position]?.toLowerCase() === word
    if (isNext) this.#position++
    return isNext
  }

  #require(symbol: string): void {
    if (!this.#takeSymbol(symbol)) throw this.#error(`lacks ${symbol}`)
  }

  #error(problem: string): ScimRefusal {
    return new ScimRefusal(
      this.#type,
      `The ${this.#type === 'invalidPath' ? 'path' : 'filter'} ${problem}.`,
    )
  }
}

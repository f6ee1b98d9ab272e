import { Refusal } from '../../kernel/refusal.ts'

const maxDepth = 32
const maxNodes = 50_000
/** No operation has an object with this many names: further ones are not reported individually. */
const maxNames = 1000
const scalar = /-?(?:0|[1-9]\d*)(?:\.\d+)?(?:[eE][+-]?\d+)?|true|false|null/y

/**
 * Parses the JSON text of a request. Scans it once first for problems that parsing accepts: nesting too deep for code
 * that walks the value, duplicate property names, `__proto__`, numbers that would be rounded.
 * @throws Refusal invalid_argument, with the position where there is one
 */
export function parseJson(text: string): unknown {
  new Scanner(text).scan()
  try {
    return JSON.parse(text) as unknown
  } catch (error) {
    const position = /position (\d+)/.exec((error as Error).message)?.[1]
    throw malformed(
      'a string contains an invalid character or escape',
      position === undefined ? undefined : Number(position),
    )
  }
}

function malformed(what: string, position?: number): Refusal {
  const where = position === undefined ? '' : `, at position ${position}`
  return new Refusal(
    'invalid_argument',
    `The body is not valid JSON: ${what}${where}.`,
    position === undefined ? {} : { context: { position } },
  )
}

function excessive(what: string): Refusal {
  return new Refusal('invalid_argument', `The body ${what}.`, 'Send less per request.')
}

/** Scans JSON token by token; recursion is limited by the maximum depth. */
class Scanner {
  readonly #text: string
  #position = 0
  #nodes = 0

  constructor(text: string) {
    this.#text = text
  }

  scan(): void {
    if (this.#next() === undefined) throw malformed('it is empty', 0)
    this.#value(0)
    if (this.#next() !== undefined) throw this.#unexpected('the end')
  }

  #value(depth: number): void {
    if (++this.#nodes > maxNodes) throw excessive(`holds more than ${maxNodes} values`)
    const first = this.#next()
    if (first === '"') this.#string()
    else if (first === '{') this.#members('}', depth + 1, new Set())
    else if (first === '[') this.#members(']', depth + 1, undefined)
    else this.#scalar()
  }

  /** Scans the members of an object (with the names seen so far) or of an array. */
  #members(end: string, depth: number, names: Set<string> | undefined): void {
    if (depth > maxDepth) throw excessive(`is nested deeper than ${maxDepth} levels`)
    this.#position++
    if (this.#next() === end) return void this.#position++
    for (;;) {
      if (names) this.#name(names)
      this.#value(depth)
      const next = this.#next()
      if (next !== ',' && next !== end) throw this.#unexpected(`"," or "${end}"`)
      this.#position++
      if (next === end) return
    }
  }

  #name(names: Set<string>): void {
    if (this.#next() !== '"') throw this.#unexpected('a property name in double quotes')
    const start = this.#position
    this.#string()
    const raw = this.#text.slice(start + 1, this.#position - 1)
    const name = raw.includes('\\') ? unescapeString(raw) : raw
    if (name === '__proto__')
      throw new Refusal(
        'invalid_argument',
        'The body has a property called __proto__, which is not accepted.',
      )
    if (names.has(name))
      throw new Refusal(
        'invalid_argument',
        `The body has the property ${JSON.stringify(name.slice(0, 80))} twice.`,
      )
    names.add(name)
    if (names.size > maxNames)
      throw excessive(`has an object with more than ${maxNames} properties`)
    if (this.#next() !== ':') throw this.#unexpected('":"')
    this.#position++
  }

  /** Skips a string; JSON.parse validates its content. */
  #string(): void {
    const text = this.#text
    const start = this.#position
    for (let end = text.indexOf('"', start + 1); end !== -1; end = text.indexOf('"', end + 1)) {
      let escapes = 0
      while (text.charCodeAt(end - 1 - escapes) === 92) escapes++
      if (escapes % 2 === 0) return void (this.#position = end + 1)
    }
    throw malformed('unterminated string', start)
  }

  #scalar(): void {
    scalar.lastIndex = this.#position
    const token = scalar.exec(this.#text)?.[0]
    if (token === undefined) throw this.#unexpected('a value')
    if (token.length > 4 && !isExact(token))
      throw new Refusal(
        'invalid_argument',
        `The number ${token.slice(0, 40)} is too large to store exactly.`,
        'Send it as a string.',
      )
    this.#position += token.length
  }

  /** The next non-space character. */
  #next(): string | undefined {
    const text = this.#text
    for (;;) {
      const code = text.charCodeAt(this.#position)
      if (code !== 32 && code !== 10 && code !== 13 && code !== 9) return text[this.#position]
      this.#position++
    }
  }

  #unexpected(expected: string): Refusal {
    const character = this.#text.slice(this.#position, this.#position + 1)
    return malformed(
      `${expected} was expected, ${character === '' ? 'and it ends' : `not ${JSON.stringify(character)}`}`,
      this.#position,
    )
  }
}

function unescapeString(raw: string): string {
  try {
    return JSON.parse(`"${raw}"`) as string
  } catch {
    return raw // JSON.parse of the whole says what is wrong, and where
  }
}

/** Whether a number survives parsing: finite, and within 2^53 if an integer. */
function isExact(number: string): boolean {
  if (number === 'false') return true
  const value = Number(number)
  return /[.eE]/.test(number) ? Number.isFinite(value) : Number.isSafeInteger(value)
}

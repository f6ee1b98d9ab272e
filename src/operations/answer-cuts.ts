// Cuts a JSON value down to a number of bytes: long texts first, then lists, larger ones before smaller. Ids, keys,
// cursors, addresses and short texts stay whole, because callers need them to continue.

/** A text, list or object of an answer of which only the beginning remains. */
export interface CutPart {
  /** `items[0].description_markdown` */
  path: string
  shown: number
  whole: number
  unit: 'characters' | 'entries' | 'properties'
}

export interface CutResult {
  value: unknown
  parts: CutPart[]
}

/** Texts up to this length are never cut: names, choices, ids. */
const maxUncutLength = 160
const neverCut = /(^|_)(ids?|keys?|cursor|url|href|revision|version|hash|sha256|etag|email)$/
/** Objects with up to this many properties are treated as records and keep all fields. */
const maxRecordProperties = 40
/** Texts are not cut below this many bytes while removing entries from lists is enough. */
const preferredMinTextBytes = 1000
const minTextBytes = 64

/** A value with its JSON size; `parts` of lists and objects. */
type Part =
  | { kind: 'fixed'; size: number }
  | { kind: 'text'; size: number; text: string }
  | { kind: 'list'; size: number; parts: Part[] }
  | { kind: 'object'; size: number; names: string[]; nameSizes: number[]; parts: Part[] }

/** Maximum bytes of a text, a list and a large object. */
interface Limits {
  text: number
  list: number
  object: number
}

/** Cuts the value to a number of JSON bytes, or as close as possible if even the minimum is larger. */
export function cutTo(value: unknown, bytes: number): CutResult {
  const whole = measure(value, '')
  if (whole.size <= bytes) return { value, parts: [] }
  const parts: CutPart[] = []
  return { value: shorten(whole, value, limitsFor(whole, bytes), '', parts), parts }
}

/** The size of a value as compact JSON. */
export function bytesOf(value: unknown): number {
  return Buffer.byteLength(JSON.stringify(value) ?? 'null')
}

/** Stages of cutting, each with one limit for texts, lists and large objects. */
const stages: ((limit: number) => Limits)[] = [
  (limit) => ({ text: Math.max(limit, preferredMinTextBytes), list: Infinity, object: Infinity }),
  (limit) => ({ text: Math.max(limit, preferredMinTextBytes), list: limit, object: Infinity }),
  (limit) => ({ text: Math.max(limit, minTextBytes), list: limit, object: limit }),
]

function limitsFor(whole: Part, bytes: number): Limits {
  const stage = stages.find((item) => sizeWithin(whole, item(0)) <= bytes)
  if (!stage) return stages.at(-1)!(0)
  let [fits, exceeds] = [0, bytes + 1]
  while (exceeds - fits > 1) {
    const middle = (fits + exceeds) >> 1
    if (sizeWithin(whole, stage(middle)) <= bytes) fits = middle
    else exceeds = middle
  }
  return stage(fits)
}

function measure(value: unknown, name: string): Part {
  if (typeof value === 'string') {
    const size = bytesOf(value)
    return value.length <= maxUncutLength || neverCut.test(name)
      ? { kind: 'fixed', size }
      : { kind: 'text', size, text: value }
  }
  if (Array.isArray(value)) {
    const parts = value.map((item) => measure(item, name))
    return {
      kind: 'list',
      size: Math.max(2, 1 + parts.reduce((sum, part) => sum + part.size + 1, 0)),
      parts,
    }
  }
  if (value === null || typeof value !== 'object') return { kind: 'fixed', size: bytesOf(value) }
  const names = Object.keys(value)
  const nameSizes = names.map((item) => bytesOf(item) + 1)
  const parts = names.map((item) => measure((value as Record<string, unknown>)[item], item))
  return {
    kind: 'object',
    size: Math.max(2, 1 + parts.reduce((sum, part, i) => sum + nameSizes[i]! + part.size + 1, 0)),
    names,
    nameSizes,
    parts,
  }
}

/** The size of a part within limits, or slightly more. */
function sizeWithin(part: Part, limits: Limits): number {
  if (part.kind === 'fixed') return part.size
  if (part.kind === 'text') return Math.min(part.size, limits.text)
  return fittingEntries(part, limits).size
}

/** Maximum bytes of a list or object; unlimited for objects with few properties, which stay whole. */
function maxBytesOf(part: Extract<Part, { kind: 'list' | 'object' }>, limits: Limits): number {
  if (part.kind === 'list') return limits.list
  return part.names.length > maxRecordProperties ? limits.object : Infinity
}

/** Counts the entries of a list or object that fit, at least one, and their size in bytes. */
function fittingEntries(
  part: Extract<Part, { kind: 'list' | 'object' }>,
  limits: Limits,
): { count: number; size: number } {
  const maxBytes = maxBytesOf(part, limits)
  let size = 1
  for (const [i, item] of part.parts.entries()) {
    const next =
      size + sizeWithin(item, limits) + 1 + (part.kind === 'object' ? part.nameSizes[i]! : 0)
    if (i > 0 && next > maxBytes) return { count: i, size }
    size = next
  }
  return { count: part.parts.length, size: Math.max(2, size) }
}

function shorten(
  part: Part,
  value: unknown,
  limits: Limits,
  path: string,
  cut: CutPart[],
): unknown {
  switch (part.kind) {
    case 'fixed':
      return value
    case 'text':
      return part.size <= limits.text ? value : shortenText(part.text, limits.text, path, cut)
    case 'list': {
      const { count } = fittingEntries(part, limits)
      if (count < part.parts.length)
        cut.push({ path, shown: count, whole: part.parts.length, unit: 'entries' })
      return part.parts
        .slice(0, count)
        .map((item, i) => shorten(item, (value as unknown[])[i], limits, `${path}[${i}]`, cut))
    }
    case 'object': {
      const { count } = fittingEntries(part, limits)
      if (count < part.parts.length)
        cut.push({ path, shown: count, whole: part.parts.length, unit: 'properties' })
      return Object.fromEntries(
        part.names
          .slice(0, count)
          .map((name, i) => [
            name,
            shorten(
              part.parts[i]!,
              (value as Record<string, unknown>)[name],
              limits,
              childPath(path, name),
              cut,
            ),
          ]),
      )
    }
  }
}

function childPath(path: string, name: string): string {
  if (!/^[A-Za-z_]\w*$/.test(name)) return `${path}[${JSON.stringify(name.slice(0, 80))}]`
  return path === '' ? name : `${path}.${name}`
}

function shortenText(text: string, bytes: number, path: string, cut: CutPart[]): string {
  const excerpt = prefixWithin(text, bytes - 2)
  cut.push({ path, shown: excerpt.length, whole: text.length, unit: 'characters' })
  return excerpt
}

/** The longest prefix of a text within this many JSON bytes, without quotes; never splits a character. */
function prefixWithin(text: string, bytes: number): string {
  let used = 0
  let end = 0
  while (end < text.length) {
    const code = text.codePointAt(end)!
    used += jsonBytesOf(code)
    if (used > bytes) break
    end += code > 0xffff ? 2 : 1
  }
  return text.slice(0, end)
}

const shortEscapes = new Set(
  ['"', '\\', '\b', '\t', '\n', '\f', '\r'].map((char) => char.charCodeAt(0)),
)

/** Bytes of a character inside a JSON string. */
function jsonBytesOf(code: number): number {
  if (shortEscapes.has(code)) return 2
  if (code < 0x20 || (code >= 0xd800 && code <= 0xdfff)) return 6
  if (code < 0x80) return 1
  if (code < 0x800) return 2
  return code > 0xffff ? 4 : 3
}

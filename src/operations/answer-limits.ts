// Limits the size of answers. Pages lose items at their end, so that the cursor continues there; other answers have
// long texts and lists shortened.

import type { Entry } from './entry.ts'
import { bytesOf, cutTo, type CutPart, type CutResult } from './answer-cuts.ts'
import type { Kind } from './any-operation.ts'

/** Describes what was cut from an answer, and how to get the rest. */
export interface CutInfo {
  /** Maximum and full size of the answer, in bytes of compact JSON. */
  maxBytes: number
  fullBytes: number
  /** A page with fewer items than requested: its cursor continues after the last of them. */
  items?: { shown: number; whole: number }
  /** Truncated parts, in the order of the answer. */
  parts: CutPart[]
  /** Offset at which the truncated text continues, for operations that take one. */
  nextOffset?: number
  call: RepeatableCall
}

/** Details of a call that are needed to request the rest of its answer. */
export interface RepeatableCall {
  kind: Kind
  /** The same call over REST: method and address. */
  rest: string
  /** Arguments that reduce the answer. */
  narrowedBy: string[]
}

interface Page {
  items: unknown[]
  has_more: boolean
  next_cursor?: string
}

/** The final value of an answer, its text, and the parts that were cut. */
export interface LimitedAnswer {
  value: unknown
  text: string
  cut?: CutInfo
}

export interface AnswerLimits {
  maxBytes: number
  /** Reads the page again with another limit. Writes are never repeated. */
  readAgain?: (limit: number) => Promise<unknown>
  call: () => RepeatableCall
}

/** The answer of a call, limited to its maximum size. */
export async function limitAnswer(
  entry: Entry,
  value: unknown,
  { maxBytes, readAgain, call }: AnswerLimits,
): Promise<LimitedAnswer> {
  const text = JSON.stringify(value ?? null)
  const whole = Buffer.byteLength(text)
  if (whole <= maxBytes) return { value, text }
  const page =
    readAgain && entry.schemas.names.includes('limit') && isPage(value)
      ? await readShorterPage(value, maxBytes, truncationMarker(entry, whole, maxBytes), readAgain)
      : undefined
  const items =
    page && isPage(value) && page.items.length < value.items.length
      ? { items: { shown: page.items.length, whole: value.items.length } }
      : {}
  const takesOffset = entry.schemas.names.includes('offset')
  const cutting = cutTo(
    JSON.parse(page ? JSON.stringify(page) : text),
    takesOffset ? maxBytes - roomForOffset : maxBytes,
  )
  const continuation = takesOffset ? offsetHint(cutting) : {}
  return {
    value: cutting.value,
    text: JSON.stringify(cutting.value),
    cut: {
      maxBytes,
      fullBytes: whole,
      ...items,
      parts: cutting.parts,
      ...continuation,
      call: call(),
    },
  }
}

/** Bytes of `"next_offset":123456789,`. */
const roomForOffset = 32

/** Adds the offset at which a cut text continues to the object that has its start offset. */
function offsetHint({ value, parts }: CutResult): { nextOffset?: number } {
  const cutText = parts.find(
    (part) => part.unit === 'characters' && /^\w+(\.\w+)?$/.test(part.path),
  )
  if (!cutText) return {}
  const top = value as Record<string, unknown>
  const parent = cutText.path.includes('.')
    ? (top[cutText.path.split('.')[0]!] as Record<string, unknown>)
    : top
  const withOffset = [parent, top].find((item) => typeof item.offset === 'number')
  if (!withOffset) return {}
  const nextOffset = (withOffset.offset as number) + cutText.shown
  withOffset.next_offset = nextOffset
  return { nextOffset }
}

/** Maximum attempts to read a smaller page: actual sizes can differ from the estimate if parts interact. */
const maxTries = 4

/** The page with as many items as fit, at least one. */
async function readShorterPage(
  first: Page,
  maxBytes: number,
  markTruncated: (page: Page) => Page,
  readAgain: (limit: number) => Promise<unknown>,
): Promise<Page> {
  let page = first
  for (let tries = 1; tries <= maxTries && page.items.length > 1; tries++) {
    const limit =
      tries === maxTries
        ? 1
        : Math.max(1, Math.min(page.items.length - 1, countFitting(markTruncated(page), maxBytes)))
    const next = await readAgain(limit)
    if (!isPage(next) || next.items.length >= page.items.length) break // the limit has no effect on the number
    page = markTruncated(next)
    if (bytesOf(page) <= maxBytes) break
  }
  return page
}

/** A marker that a page is shorter than requested, if its shape has a field for it. */
function truncationMarker(
  { schemas }: Entry,
  bytes: number,
  maxBytes: number,
): (page: Page) => Page {
  if (!schemas.hasTruncatedField) return (page) => page
  const truncated = {
    reason: `With all of its items the page would exceed ${maxBytes} bytes.`,
    bytes,
    how_to_continue: 'Send next_cursor as cursor.',
  }
  return (page) => ({ ...page, truncated })
}

function isPage(value: unknown): value is Page {
  const page = value as Partial<Page> | null
  return (
    typeof page === 'object' &&
    page !== null &&
    Array.isArray(page.items) &&
    typeof page.has_more === 'boolean'
  )
}

/** Counts the items of a page that fit beside its other fields. */
function countFitting(page: Page, maxBytes: number): number {
  let size = bytesOf({ ...page, items: [], has_more: true, next_cursor: page.next_cursor ?? '' })
  const firstExceeding = page.items.findIndex((item) => (size += bytesOf(item) + 1) - 1 > maxBytes)
  return firstExceeding < 0 ? page.items.length : firstExceeding
}

const maxAddressLength = 600

/** Describes how to repeat a call over REST, including its arguments if the address stays short. */
export function callAgain(
  entry: Entry,
  args: Readonly<Record<string, unknown>>,
  baseUrl: string,
): RepeatableCall {
  const { operation, schemas, method, path } = entry
  const address =
    baseUrl +
    path.replace(/\{(\w+)\}/g, (_, name: string) =>
      encodeURIComponent(String(args[name] ?? `{${name}}`)),
    )
  const query = method === 'GET' ? queryOf(args, schemas.path) : ''
  const rest = `${method} ${address}${query === '' ? '' : `?${query}`}`
  const narrowedBy = [
    'fields',
    ...schemas.names.filter((name) =>
      /^(query|filter|status|type|kind|module|depth|section|max_chars)$|_(after|before|category)$/.test(
        name,
      ),
    ),
  ]
    .filter((name) => schemas.names.includes(name))
    .slice(0, 5)
  return {
    kind: operation.kind,
    rest: rest.length <= maxAddressLength ? rest : `${method} ${address}`,
    narrowedBy,
  }
}

function queryOf(args: Readonly<Record<string, unknown>>, pathParams: readonly string[]): string {
  const queryArgs = Object.entries(args).filter(
    ([name, value]) => !pathParams.includes(name) && value !== undefined && value !== null,
  )
  const pairs = queryArgs.map(([name, value]): [string, string] => [name, queryText(value)])
  return new URLSearchParams(pairs).toString()
}

function queryText(value: unknown): string {
  if (Array.isArray(value)) return value.join(',')
  return typeof value === 'object' ? JSON.stringify(value) : String(value)
}

import { deflateSync, inflateSync } from 'node:zlib'
import type { Id } from '../../../kernel/ids.ts'
import { changedRange } from '../../../kernel/text/stretch.ts'
import type { Row } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'

// Storage of page texts. A version stores its whole text, or only the range that differs from the previous
// version; after a number of those, a whole text is stored again, so that reading takes few steps and many edits of a
// long page take little space.

type StoredBody = Pick<
  Row<'page_versions'>,
  | 'id'
  | 'number'
  | 'base_number'
  | 'base_start'
  | 'base_end'
  | 'depth'
  | 'encoding'
  | 'content'
  | 'chars'
>
const storedColumns = [
  'id',
  'number',
  'base_number',
  'base_start',
  'base_end',
  'depth',
  'encoding',
  'content',
  'chars',
] as const

/** Maximum versions between two complete ones. */
const maxSteps = 24
/** Shorter texts are stored uncompressed. */
const minCompressedLength = 400

/** Recently used texts, by version id; versions never change. */
const recent = new Map<string, string>()
const maxRecentBytes = 24_000_000
let cachedBytes = 0

function cacheText(id: string, text: string): string {
  if (text.length < 20_000 || text.length > maxRecentBytes / 2) return text
  evictText(id)
  recent.set(id, text)
  cachedBytes += text.length
  for (const [oldest] of recent) {
    if (cachedBytes <= maxRecentBytes) break
    evictText(oldest)
  }
  return text
}

function evictText(id: string): void {
  cachedBytes -= recent.get(id)?.length ?? 0
  recent.delete(id)
}

/** The text of a version of a visible page; undefined if there is no such version. */
export async function bodyAt(
  viewer: Viewer,
  pageId: Id<'pages'>,
  number: number,
): Promise<string | undefined> {
  const steps: StoredBody[] = []
  let text: string | undefined
  for (let at: number | null = number; at !== null && text === undefined; ) {
    const version = accessScopeOf(viewer)
      .all.selectFrom('page_versions')
      .where('page_id', '=', pageId)
      .where('number', '=', at)
    const versionRow = await version.select('id').executeTakeFirst()
    if (!versionRow) return undefined
    text = recent.get(versionRow.id)
    if (text !== undefined) break
    const row: StoredBody = await version.select(storedColumns).executeTakeFirstOrThrow()
    steps.push(row)
    at = row.base_number
  }
  for (const row of steps.toReversed())
    text = cacheText(row.id, text === undefined ? decodeText(row) : applyStoredRange(text, row))
  return text
}

function applyStoredRange(base: string, row: StoredBody): string {
  return base.slice(0, row.base_start!) + decodeText(row) + base.slice(row.base_end!)
}

/** A stored text: long ones are compressed. */
export interface EncodedText {
  encoding: StoredBody['encoding']
  content: string
}

export function decodeText({ encoding, content }: EncodedText): string {
  return encoding === 'plain'
    ? content
    : inflateSync(Buffer.from(content, 'base64')).toString('utf8')
}

/** Stored form of a text in the version after `before`. */
export interface EncodedBody
  extends Pick<
    Row<'page_versions'>,
    | 'base_number'
    | 'base_start'
    | 'base_end'
    | 'depth'
    | 'encoding'
    | 'content'
    | 'chars'
    | 'chars_changed'
  > {}

export function encodeBody(
  text: string,
  before: { number: number; depth: number; text: string } | undefined,
): EncodedBody {
  const { start, end, insert } = before
    ? changedRange(before.text, text)
    : { start: 0, end: 0, insert: text }
  const chars_changed = end - start + insert.length
  const storeWhole = !before || before.depth >= maxSteps || insert.length > text.length / 2
  const baseFields = storeWhole
    ? { base_number: null, base_start: null, base_end: null, depth: 0 }
    : { base_number: before.number, base_start: start, base_end: end, depth: before.depth + 1 }
  return {
    ...baseFields,
    ...encodeText(storeWhole ? text : insert),
    chars: text.length,
    chars_changed,
  }
}

export function encodeText(text: string): EncodedText {
  if (text.length < minCompressedLength) return { encoding: 'plain', content: text }
  return { encoding: 'deflate', content: deflateSync(text, { level: 5 }).toString('base64') }
}

import { Refusal } from '../../core/refusal.ts'
import type { Row } from '../../core/resource.ts'
import type { Seer } from '../../core/sight.ts'
import { bodyAt } from './access-bodies.ts'
import { outlineOf, type Heading } from './outline.ts'

/** Bytes that the text of a page may have. */
export const longestBody = 10 * 2 ** 20

/** The present text of a page that was seen. */
export async function bodyOf(from: Seer, row: Pick<Row<'pages'>, 'id' | 'version'>): Promise<string> {
  const body = await bodyAt(from, row.id, row.version)
  if (body === undefined) throw new Error(`Page ${row.id} has no version ${row.version}.`)
  return body
}

/** @throws Refusal too_large */
export function checkLength(body: string, field = 'body_markdown'): void {
  if (body.length * 3 <= longestBody || Buffer.byteLength(body) <= longestBody) return
  throw new Refusal('too_large', 'A page may have 10 MB of text.', { field, hint: 'Split it into several pages.', context: { limit_bytes: longestBody, bytes: Buffer.byteLength(body) } })
}

/** Outlines of long texts, made last, by page; each with the text that it is of. */
const recent = new Map<string, { body: string; outline: Heading[] }>()
const mostRecent = 16
const worthKeeping = 50_000

/** The headings of a page's present text. */
export function outlineAt({ id }: Pick<Row<'pages'>, 'id'>, body: string): Heading[] {
  if (body.length < worthKeeping) return outlineOf(body)
  const kept = recent.get(id)
  const outline = kept?.body === body ? kept.outline : outlineOf(body)
  recent.delete(id)
  recent.set(id, { body, outline })
  if (recent.size > mostRecent) recent.delete(recent.keys().next().value!)
  return outline
}

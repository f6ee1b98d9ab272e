import { BoundedMap } from '../../../kernel/bounded-map.ts'
import { Refusal, invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import type { Viewer } from '../../../records/access-scope.ts'
import { currentText } from '../live/access-text.ts'
import { isNestedDeeply } from '../pages/nesting.ts'
import { pageOutline, type Heading } from './outline.ts'

/** Maximum bytes of a page's text. */
const maxBodyLength = 10 * 2 ** 20

/** The current text of a visible page. */
export async function pageBodyOf(
  viewer: Viewer,
  row: Pick<Row<'pages'>, 'id' | 'version' | 'live_from' | 'revision'>,
): Promise<string> {
  const body = await currentText(viewer, row)
  if (body === undefined) throw new Error(`Page ${row.id} has no version ${row.version}.`)
  return body
}

/**
 * Maximum lines of a page: in the worst case each non-empty line is a block, and all blocks are parsed whenever the
 * page is read.
 */
const maxLines = { nonBlank: 100_000, all: 500_000 }

/** Longer texts are not rendered, so their nesting does no harm. */
export const maxRendered = 2_000_000

/** Why a text is not allowed as a page's text, with the limit exceeded; undefined if it is allowed. */
export function bodyViolation(
  body: string,
): { reason: string; limit?: Record<string, number> } | undefined {
  const bytes = body.length * 3 <= maxBodyLength ? 0 : Buffer.byteLength(body)
  if (bytes > maxBodyLength)
    return {
      reason: `A page can have at most ${maxBodyLength / 2 ** 20} MB of text.`,
      limit: { limit_bytes: maxBodyLength, bytes },
    }
  const { filled, all } =
    body.length <= maxLines.nonBlank ? { filled: 0, all: 0 } : countLines(body)
  if (filled > maxLines.nonBlank)
    return {
      reason: `A page can have at most ${maxLines.nonBlank} lines of text.`,
      limit: { limit_lines: maxLines.nonBlank, lines: filled },
    }
  if (all > maxLines.all)
    return {
      reason: `A page can have at most ${maxLines.all} lines, including blank lines.`,
      limit: { limit_lines: maxLines.all, lines: all },
    }
  if (body.length <= maxRendered && isNestedDeeply(body))
    return {
      reason: 'Quotations, lists, brackets or elements are nested deeper than 200 levels.',
    }
  return undefined
}

/** @throws Refusal too_large, or invalid_argument if it is nested too deeply */
export function checkBody(body: string, field = 'body_markdown'): void {
  const violation = bodyViolation(body)
  if (!violation) return
  if (!violation.limit)
    throw new Refusal('invalid_argument', violation.reason, {
      field,
      hint: 'Use fewer levels.',
    })
  throw new Refusal('too_large', violation.reason, {
    field,
    hint: 'Split it into several pages.',
    context: violation.limit,
  })
}

/** Validates a text resulting from changes. @throws Refusal too_large, invalid_argument */
export function checkChangedText(text: string): void {
  if (!text.isWellFormed())
    throw invalid('changes', 'parts a surrogate pair.', 'Replace whole characters.')
  checkBody(text, 'changes')
}

/** Counts the lines, and those that contain more than white space. */
function countLines(body: string): { filled: number; all: number } {
  let filled = 0
  let all = 1
  let isBlank = true
  for (let at = 0; at < body.length; at++) {
    const code = body.charCodeAt(at)
    if (code === 10) {
      isBlank = true
      all++
    } else if (isBlank && code !== 32 && code !== 9 && code !== 13) {
      isBlank = false
      filled++
    }
  }
  return { filled, all }
}

/** Recent outlines of long texts, by page; each with its text. */
const recent = new BoundedMap<string, { body: string; outline: Heading[] }>(16)
const minCachedLength = 50_000

/** Headings of a page's current text. */
export function outlineAt({ id }: Pick<Row<'pages'>, 'id'>, body: string): Heading[] {
  if (body.length < minCachedLength) return pageOutline(body)
  const cached = recent.get(id)
  const outline = cached?.body === body ? cached.outline : pageOutline(body)
  recent.set(id, { body, outline })
  return outline
}

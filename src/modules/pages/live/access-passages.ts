import type { ChangeSet } from '@codemirror/state'
import { applyTextChanges } from '../../../kernel/text/text-changes.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import type { Row } from '../../../records/resource.ts'
import { anchorAt, currentOffset } from '../content/anchors.ts'

/** Maximum characters of a commented passage. */
const maxQuote = 10_000

interface Stretch {
  from: number
  to: number
}

/**
 * Comments follow their passages through edits. If less than half of a passage remains, the comment loses its passage,
 * and gets it back when the change is reverted.
 */
export async function followPassages(
  viewer: Viewer,
  { id }: Pick<Row<'pages'>, 'id'>,
  before: string,
  changes: ChangeSet,
): Promise<void> {
  const s = accessScopeOf(viewer)
  const comments = await s.all
    .selectFrom('page_comments')
    .select(['id', 'quote', 'quote_before', 'quote_after', 'quote_start'])
    .where('page_id', '=', id)
    .where('quote', 'is not', null)
    .execute()
  if (comments.length === 0) return
  const after = applyTextChanges(before, changes)
  for (const { id: commentId, quote, quote_before, quote_after, quote_start } of comments) {
    if (quote === null || quote_start === null) continue
    const place = currentOffset(before, {
      quote,
      before: quote_before ?? '',
      after: quote_after ?? '',
      start: quote_start,
    })
    if (place === undefined) continue
    const now = stretchAfter({ from: place, to: place + quote.length }, changes)
    const passage = now && after.slice(now.from, now.to)
    if (!passage || passage === quote || passage.length > maxQuote) continue
    const anchor = anchorAt(after, passage, now.from)
    if (anchor)
      await s.all
        .updateTable('page_comments')
        .set({
          quote: anchor.quote,
          quote_before: anchor.before,
          quote_after: anchor.after,
          quote_start: anchor.start,
        })
        .where('id', '=', commentId)
        .execute()
  }
}

/** Position of a stretch of text after a change; undefined if less than half of it remains. */
function stretchAfter({ from, to }: Stretch, changes: ChangeSet): Stretch | undefined {
  let remaining = to - from
  changes.iterChangedRanges((start, end) => {
    remaining -= Math.max(0, Math.min(end, to) - Math.max(start, from))
  }, true)
  if (remaining * 2 < to - from) return undefined
  return { from: changes.mapPos(from, 1), to: changes.mapPos(to, -1) }
}

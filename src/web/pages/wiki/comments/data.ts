import type { Output } from '../../../api/client.ts'
import { invalidateOperations, useList } from '../../../api/queries.ts'
import type { Passage } from '../../../ui/source/source-map.ts'

export type PageComment = Output<'list_page_comments'>['items'][number]

/** A comment with the replies to it. */
export interface CommentThread {
  root: PageComment
  replies: PageComment[]
}

/** The comments of a page. */
export const usePageComments = (pageId: string) =>
  useList('list_page_comments', { page_id: pageId, limit: 100 })

/** Reloads comments. */
export const invalidateComments = () => invalidateOperations('list_page_comments')

/** Threads in the order of their passages; then those about the whole page, last those whose passage is gone. */
export function threadsOf(comments: readonly PageComment[]): CommentThread[] {
  const replies = Map.groupBy(comments, (comment) => comment.reply_to)
  const sortKey = ({ anchor, quote_offset: offset }: PageComment) => {
    if (anchor === 'lost') return Number.POSITIVE_INFINITY
    return offset ?? Number.MAX_SAFE_INTEGER
  }
  return (replies.get(undefined) ?? [])
    .map((first) => ({ root: first, replies: replies.get(first.id) ?? [] }))
    .sort((a, b) => {
      const [aKey, bKey] = [sortKey(a.root), sortKey(b.root)]
      return aKey === bKey ? a.root.created_at.localeCompare(b.root.created_at) : aKey - bKey
    })
}

/** Passages with open comments. */
export function passagesOf(comments: readonly PageComment[]): Passage[] {
  return comments.flatMap(({ id, quote, quote_offset: start, resolved }) =>
    quote === undefined || start === undefined || resolved
      ? []
      : [{ id, start, end: start + quote.length }],
  )
}

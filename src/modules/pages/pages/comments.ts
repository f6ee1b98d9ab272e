import type { Id } from '../../../kernel/ids.ts'
import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { pageOf, paging, secret } from '../../../kernel/fields.ts'
import { newMentions, unresolvedMentions } from '../../../kernel/text/mentions.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { denied, invalid } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { person } from '../../directory/access.ts'
import { page, pageComment, rolesOn } from '../access.ts'
import { withResolvedState } from './access-tree.ts'
import { anchorAt, currentOffset } from '../content/anchors.ts'
import { pageBodyOf } from '../content/bodies.ts'
import { pageReaders } from './readers.ts'
import { Comment, presentComments } from '../shapes.ts'

export const listPageComments = operation({
  name: 'list_page_comments',
  searchHint: 'feedback on a doc, review remarks, discussion on a page',
  kind: 'read',
  rest: 'GET /api/pages/{page_id}/comments',
  about: 'Comments of a page with the passage each refers to',
  on: { page: page.see },
  input: {
    resolved: z.boolean().optional().describe('only resolved, or only unresolved threads'),
    ...paging,
  },
  output: pageOf(Comment),
  async handle({ page: row, resolved, limit, cursor }, ctx) {
    const all = pageComment.of(ctx, [row.id]).selectAll('page_comments')
    const query = resolved === undefined ? all : withResolvedState(all, resolved)
    const comments = await paged(query, [{ by: 'page_comments.id', as: 'id', dir: 'asc' }], {
      limit,
      cursor,
    })
    return pageWithItems(comments, await presentPageComments(ctx, row, comments.items))
  },
})

export const addPageComment = operation({
  name: 'add_page_comment',
  searchHint: 'leave feedback, remark on a paragraph, review a doc, annotate',
  kind: 'write',
  rest: 'POST /api/pages/{page_id}/comments',
  about: 'Comment on a page, a passage of it, or another comment',
  on: {
    page: page.see,
    replyTo: pageComment.see.of('page', 'page_id').maybe.named('reply_to_comment_id'),
  },
  input: {
    body_markdown: secret(
      z
        .string()
        .min(1)
        .max(50_000)
        .regex(/\S/, 'must not be blank')
        .describe('markdown; @name, @email or @<person id> mentions someone who can see the page'),
    ),
    quote: secret(
      z
        .string()
        .min(1)
        .max(10_000)
        .regex(/\S/, 'must not be blank')
        .describe('a passage exactly as in the text'),
    ).optional(),
    quote_offset: z
      .int()
      .min(0)
      .optional()
      .describe('where it begins, for a passage that occurs several times; default: the first'),
  },
  output: Comment,
  async handle({ page: row, replyTo, body_markdown, quote, quote_offset }, ctx) {
    await requireCommentRole(ctx, row)
    if (replyTo && quote !== undefined)
      throw invalid(
        'quote',
        'a reply refers to the passage of the comment it answers.',
        'Leave it out, or add a new comment.',
      )
    const anchor = await anchorOf(ctx, row, quote, quote_offset)
    const mentions = await mentionsOf(ctx, row, body_markdown)
    const comment = await ctx.add('page_comments', {
      page_id: row.id,
      body_markdown,
      reply_to_id: replyTo ? (replyTo.reply_to_id ?? replyTo.id) : null,
      quote: anchor?.quote ?? null,
      quote_before: anchor?.before ?? null,
      quote_after: anchor?.after ?? null,
      quote_start: anchor?.start ?? null,
      mentions_json: JSON.stringify(mentions),
      resolved: 0,
    })
    ctx.event('page.commented', 'pages', row)
    ctx.notify(
      'mention',
      mentions,
      'pages',
      row,
      `${ctx.actor.display_name} mentioned you in a comment on the page “${row.title}”`,
    )
    ctx.notify(
      'comment',
      await peopleToNotify(ctx, row, comment),
      'pages',
      row,
      `${ctx.actor.display_name} commented on the page “${row.title}”`,
    )
    return presentPageComment(ctx, row, comment)
  },
})

/** @throws Refusal invalid_argument if the text does not contain the passage */
async function anchorOf(
  ctx: ReadContext,
  row: Row<'pages'>,
  quote: string | undefined,
  offset: number | undefined,
) {
  if (quote === undefined) {
    if (offset === undefined) return undefined
    throw invalid('quote_offset', 'there is no passage that begins there.', 'Send quote as well.')
  }
  const anchor = anchorAt(await pageBodyOf(ctx, row), quote, offset)
  if (anchor) return anchor
  throw invalid(
    'quote',
    'this passage is not in the text of the page.',
    'Read the page with get_page and send the passage exactly as written, including Markdown syntax.',
  )
}

export const resolvePageComment = operation({
  name: 'resolve_page_comment',
  searchHint: 'close a remark, feedback dealt with',
  kind: 'write',
  idempotent: true,
  rest: 'POST /api/pages/{page_id}/comments/{comment_id}/resolve',
  about: 'Resolve or reopen a comment',
  on: {
    page: page.see,
    comment: pageComment.edit
      .of('page', 'page_id')
      .named('comment_id')
      .describe('for a reply, resolves its thread'),
  },
  input: { resolved: z.boolean().default(true).describe('false reopens it') },
  output: Comment,
  async handle({ page: row, comment, resolved }, ctx) {
    const threadStart =
      comment.reply_to_id === null
        ? comment
        : await pageComment.demand(ctx, comment.reply_to_id, 'see', 'comment_id')
    if ((threadStart.resolved === 1) === resolved) return presentPageComment(ctx, row, comment)
    const changed = await ctx.change(
      'page_comments',
      threadStart,
      resolved
        ? { resolved: 1, resolved_by: ctx.actor.id, resolved_at: ctx.now }
        : { resolved: 0, resolved_by: null, resolved_at: null },
    )
    return presentPageComment(ctx, row, comment.id === threadStart.id ? changed : comment)
  },
})

async function requireCommentRole(ctx: ReadContext, row: Row<'pages'>): Promise<void> {
  if ((await rolesOn(ctx, [row])).get(row.id) === 'viewer')
    throw denied(
      'You can read this page but not comment on it.',
      'Its owner can share it with you as a commenter.',
    )
}

/** Mentions only people with access to the page; other names stay text, so that they do not reveal who exists. */
async function mentionsOf(ctx: ReadContext, row: Row<'pages'>, text: string): Promise<string[]> {
  if (!text.includes('@')) return []
  const people = await person.among(ctx, [...(await pageReaders(ctx, row))])
  return newMentions(
    ctx,
    text,
    [...people.values()].filter((item) => item.status === 'active'),
  )
}

/** The page's owner, and the thread's authors. */
async function peopleToNotify(
  ctx: ReadContext,
  row: Row<'pages'>,
  comment: Row<'page_comments'>,
): Promise<string[]> {
  const first = comment.reply_to_id
  if (first === null) return [row.owner_id]
  const thread = await pageComment
    .of(ctx, [row.id])
    .select('page_comments.created_by')
    .where((eb) =>
      eb.or([
        eb('page_comments.id', '=', first as Id<'page_comments'>),
        eb('page_comments.reply_to_id', '=', first),
      ]),
    )
    .execute()
  return [row.owner_id, ...thread.map((item) => item.created_by)]
}

async function presentPageComment(
  ctx: ReadContext,
  pageRow: Row<'pages'>,
  row: Row<'page_comments'>,
) {
  return { ...(await presentPageComments(ctx, pageRow, [row]))[0]!, ...unresolvedMentions(ctx) }
}

async function presentPageComments(
  ctx: ReadContext,
  pageRow: Row<'pages'>,
  rows: readonly Row<'page_comments'>[],
) {
  const threads = await pageComment.among(
    ctx,
    rows.flatMap((row) => row.reply_to_id ?? []),
  )
  const rowsWithQuote = rows.filter((row) => row.quote !== null)
  const body = rowsWithQuote.length > 0 ? await pageBodyOf(ctx, pageRow) : ''
  const places = new Map(
    rowsWithQuote.map((row) => [
      row.id as string,
      currentOffset(body, {
        quote: row.quote!,
        before: row.quote_before!,
        after: row.quote_after!,
        start: row.quote_start!,
      }),
    ]),
  )
  return presentComments(ctx, pageRow, rows, threads, places)
}

import { z } from 'zod'
import type { ReadContext } from '../../../operations/context.ts'
import { datetime, pageOf, paging, secret } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import type { Row } from '../../../records/resource.ts'
import { parseInstant } from '../../../kernel/time/times.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { person } from '../../directory/access.ts'
import { projectMember } from '../../portfolio/access.ts'
import { comment, task } from '../access.ts'
import { newMentions, unresolvedMentions } from '../../../kernel/text/mentions.ts'
import { setWatching } from './people.ts'
import { Comment } from '../shapes.ts'
import { presentComments } from '../presentation/presenter.ts'
import { notifyComment, notifyMentioned } from './notifications.ts'

const body = () =>
  secret(
    z
      .string()
      .min(1)
      .max(50_000)
      .regex(/\S/, 'must not be blank')
      .describe('markdown; @name, @email or @<person id> mentions a member of the project'),
  )

export const listTaskComments = operation({
  name: 'list_task_comments',
  searchHint: 'discussion on a ticket, what was said on the issue',
  kind: 'read',
  rest: 'GET /api/tasks/{task_id}/comments',
  about: 'Comments of a task in order',
  on: { task: task.see },
  input: { since: datetime().optional().describe('created or edited since'), ...paging },
  output: pageOf(Comment),
  async handle({ task: row, since, limit, cursor }, ctx) {
    let query = comment
      .visibleTo(ctx)
      .selectAll('task_comments')
      .where('task_comments.task_id', '=', row.id)
    if (since !== undefined) {
      const from = parseInstant(since, ctx.actor.timezone, 'start', 'since')
      query = query.where((eb) =>
        eb.or([
          eb('task_comments.created_at', '>=', from),
          eb('task_comments.edited_at', '>=', from),
        ]),
      )
    }
    const page = await paged(query, [{ by: 'task_comments.id', as: 'id', dir: 'asc' }], {
      limit,
      cursor,
    })
    return pageWithItems(page, await presentComments(ctx, row, page.items))
  },
})

export const addTaskComment = operation({
  name: 'add_task_comment',
  searchHint: 'reply on a ticket, leave a note on an issue, mention someone on a task',
  kind: 'write',
  rest: 'POST /api/tasks/{task_id}/comments',
  about: 'Comment on a task in markdown; @mentions notify people who can see it',
  on: {
    task: task.edit,
    replyTo: comment.see.of('task', 'task_id').named('reply_to_comment_id').maybe,
  },
  input: { body_markdown: body() },
  output: Comment,
  async handle({ task: row, replyTo, body_markdown }, ctx) {
    const mentioned = await mentionsOf(ctx, row, body_markdown)
    const created = await ctx.add('task_comments', {
      task_id: row.id,
      body_markdown,
      reply_to_id: replyTo?.id ?? null,
      mentions_json: JSON.stringify(mentioned),
    })
    await notifyComment(ctx, row, mentioned)
    await setWatching(ctx, row, true) // commenters are notified of later comments
    ctx.event('task.commented', 'tasks', row)
    return presentTaskComment(ctx, row, created)
  },
})

export const updateTaskComment = operation({
  name: 'update_task_comment',
  searchHint: 'fix my comment, edit what I wrote',
  kind: 'write',
  idempotent: true,
  rest: 'PATCH /api/tasks/{task_id}/comments/{comment_id}',
  about: 'Edit your comment',
  on: { task: task.edit, comment: comment.edit.of('task', 'task_id') },
  input: { body_markdown: body() },
  output: Comment,
  async handle({ task: row, comment, body_markdown }, ctx) {
    if (body_markdown === comment.body_markdown) return presentTaskComment(ctx, row, comment)
    const mentioned = await mentionsOf(ctx, row, body_markdown)
    const before = JSON.parse(comment.mentions_json) as string[]
    notifyMentioned(
      ctx,
      row,
      mentioned.filter((id) => !before.includes(id)),
    )
    return presentTaskComment(
      ctx,
      row,
      await ctx.change('task_comments', comment, {
        body_markdown,
        mentions_json: JSON.stringify(mentioned),
        edited_at: ctx.now,
      }),
    )
  },
})

export const deleteTaskComment = operation({
  name: 'delete_task_comment',
  searchHint: 'take my comment back',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/tasks/{task_id}/comments/{comment_id}',
  about: 'Delete your comment',
  on: { task: task.edit, comment: comment.own.of('task', 'task_id') },
  output: DeletedRef,
  async handle({ task: row, comment: commentRow }, ctx) {
    const replies = await comment
      .visibleTo(ctx)
      .selectAll('task_comments')
      .where('task_comments.reply_to_id', '=', commentRow.id)
      .execute()
    for (const reply of replies) await ctx.change('task_comments', reply, { reply_to_id: null }) // replies stay, without a parent
    await ctx.remove('task_comments', commentRow)
    return deletedRef(
      ctx,
      {
        ...comment.ref(commentRow, ctx.baseUrl),
        url: `${task.url(row, ctx.baseUrl)}#${commentRow.id}`,
      },
      [],
      { erased: true },
    )
  },
})

async function presentTaskComment(
  ctx: ReadContext,
  taskRow: Row<'tasks'>,
  row: Row<'task_comments'>,
) {
  return { ...(await presentComments(ctx, taskRow, [row]))[0]!, ...unresolvedMentions(ctx) }
}

/** Mentions only people who can see the task; other names stay text, so that they do not reveal who exists. */
async function mentionsOf(
  ctx: ReadContext,
  taskRow: Row<'tasks'>,
  text: string,
): Promise<string[]> {
  if (!text.includes('@')) return []
  const members = await projectMember
    .of(ctx, [taskRow.project_id])
    .select('project_members.person_id')
    .execute()
  const people = await person.among(
    ctx,
    members.map((member) => member.person_id),
  )
  return newMentions(
    ctx,
    text,
    [...people.values()].filter((row) => row.status === 'active'),
  )
}

import type { z } from 'zod'
import type { Id } from '../../../kernel/ids.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { notFound } from '../../../kernel/refusal.ts'
import { iso } from '../../../kernel/time/times.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { prepared } from '../../../records/prepared.ts'
import type { Row } from '../../../records/resource.ts'
import { commonOf } from '../../../records/shapes.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { attachment, task } from '../access.ts'
import { watchersOf } from '../lists/access-lists.ts'
import { type Attachment, type Comment, type Task, presentTasks } from '../shapes.ts'

const taskById = prepared<{ id: Id<'tasks'> }, Row<'tasks'>>((s, { id }) =>
  task.visibleTo(s).selectAll('tasks').where('tasks.id', '=', id),
)

/** One task with its description, watchers and attachments, read again so that it includes the changes of this call. */
export async function presentTask(
  ctx: ReadContext,
  id: Id<'tasks'>,
): Promise<z.infer<typeof Task>> {
  const [row] = await taskById(ctx, { id })
  if (!row) throw notFound('task')
  return presentTaskRow(ctx, row)
}

/** Like `presentTask`, for a row that this call has read and not changed. */
export async function presentTaskRow(
  ctx: ReadContext,
  row: Row<'tasks'>,
): Promise<z.infer<typeof Task>> {
  const [shape] = await presentTasks(ctx, [row], { body: true })
  return {
    ...shape!,
    watchers: await watchersOf(ctx, { id: row.id }),
    attachments: await presentAttachments(ctx, row.id),
  }
}

const attachmentRows = prepared<
  { task: Id<'tasks'> },
  Row<'task_attachments'> &
    Pick<Row<'files'>, 'mime_type' | 'size_bytes' | 'place'> & { file_name: string }
>((s, { task: id }) =>
  attachment
    .of(s, [id])
    .leftJoin('files', 'files.id', 'task_attachments.file_id')
    .selectAll('task_attachments')
    .select(['files.mime_type', 'files.size_bytes', 'files.place', 'files.name as file_name'])
    .orderBy('task_attachments.id'),
)

/** Attachments of one visible task. */
export async function presentAttachments(
  ctx: ReadContext,
  id: Id<'tasks'>,
): Promise<z.infer<typeof Attachment>[]> {
  const rows = await attachmentRows(ctx, { task: id })
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, attachment.url(row, ctx.baseUrl), people),
      name: row.name,
      kind: row.kind,
      file:
        row.file_id === null
          ? undefined
          : {
              id: row.file_id,
              title: row.place === 'attached' ? row.file_name : row.name,
              url: `${ctx.baseUrl}/files/${row.file_id}`,
            },
      web_url: row.web_url,
      mime_type: row.mime_type,
      size_bytes: row.size_bytes,
    }),
  )
}

/** Comments of one visible task. */
export async function presentComments(
  ctx: ReadContext,
  taskRow: Row<'tasks'>,
  rows: readonly Row<'task_comments'>[],
): Promise<z.infer<typeof Comment>[]> {
  const mentions = new Map(rows.map((row) => [row.id, JSON.parse(row.mentions_json) as string[]]))
  const people = await peopleRefs(ctx, [
    ...rows.map((row) => row.created_by),
    ...[...mentions.values()].flat(),
  ])
  return rows.map((row) =>
    omitNullish({
      ...commonOf(row, `${task.url(taskRow, ctx.baseUrl)}#${row.id}`, people),
      body_markdown: row.body_markdown,
      author: people.get(row.created_by) ?? { id: row.created_by, title: '' },
      on: task.ref(taskRow, ctx.baseUrl),
      reply_to: row.reply_to_id,
      resolved: false,
      edited_at: row.edited_at === null ? undefined : iso(row.edited_at),
      mentions: mentions.get(row.id)!.flatMap((id) => people.get(id) ?? []),
    }),
  )
}

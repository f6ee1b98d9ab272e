import { z } from 'zod'
import type { ReadContext, WriteContext } from '../../../operations/context.ts'
import { secret, shortText, webUrl } from '../../../kernel/fields.ts'
import type { Id } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { deletedRef } from '../../directory/shapes.ts'
import { DeletedRef } from '../../../records/shapes.ts'
import { file } from '../../drive/access.ts'
import { storeAttached } from '../../drive/shapes.ts'
import { attachment, task } from '../access.ts'
import { sanitizeFileName } from '../../../kernel/text/file-names.ts'
import { Attachment } from '../shapes.ts'
import { presentAttachments } from '../presentation/presenter.ts'

const maxBytes = 512 * 1024
const maxAttachments = 100

export const addTaskAttachment = operation({
  name: 'add_task_attachment',
  searchHint: 'attach a screenshot, add a link to a ticket, attach a document',
  kind: 'write',
  weight: 5,
  rest: 'POST /api/tasks/{task_id}/attachments',
  about: 'Attach a drive file, a web link or small content to a task',
  on: { task: task.edit, file: file.see.maybe },
  input: {
    url: webUrl().optional(),
    name: shortText(1000).min(1).optional().describe('file name; required with content_base64'),
    content_base64: secret(
      z
        .string()
        .min(1)
        .max(4 * maxBytes),
    )
      .optional()
      .describe('at most 512 KiB decoded'),
  },
  output: Attachment.extend({
    existing: z.literal(true).optional().describe('it was attached before; nothing was added'),
  }),
  async handle({ task: row, file: fileRow, url, name, content_base64 }, ctx) {
    requireExactlyOne({ file_id: fileRow?.id, url, content_base64 })
    const attachmentName = name === undefined ? undefined : requireName(name)
    const existing = await existingAttachment(ctx, row, fileRow?.id, url)
    if (existing) return { ...(await presentAttachment(ctx, existing)), existing: true as const }
    await requireAttachmentCapacity(ctx, row)
    if (url !== undefined)
      return presentAttachment(
        ctx,
        await ctx.add('task_attachments', {
          task_id: row.id,
          kind: 'link',
          name: attachmentName ?? linkName(url),
          web_url: url,
        }),
      )
    const file = fileRow ?? (await storeAttachment(ctx, attachmentName, content_base64!))
    return presentAttachment(
      ctx,
      await ctx.add('task_attachments', {
        task_id: row.id,
        kind: 'file',
        name: attachmentName ?? file.name,
        file_id: file.id,
      }),
    )
  },
})

export const removeTaskAttachment = operation({
  name: 'remove_task_attachment',
  searchHint: 'detach, take the attachment off',
  kind: 'destructive',
  idempotent: true,
  rest: 'DELETE /api/tasks/{task_id}/attachments/{attachment_id}',
  about: 'Remove a file or link from a task; the drive file is kept',
  on: { task: task.edit, attachment: attachment.edit.of('task', 'task_id') },
  output: DeletedRef,
  async handle({ attachment: row }, ctx) {
    await ctx.remove('task_attachments', row)
    return deletedRef(ctx, attachment.ref(row, ctx.baseUrl), [], { erased: true })
  },
})

function requireExactlyOne(alternatives: Record<string, unknown>): void {
  const names = Object.keys(alternatives).filter((name) => alternatives[name] !== undefined)
  if (names.length === 1) return
  const problem =
    names.length === 0 ? 'nothing to attach was sent' : `${names.join(' and ')} cannot be combined`
  throw invalid(
    names[1] ?? 'url',
    `${problem}.`,
    'Send exactly one of file_id, url, or content_base64 with a name.',
  )
}

function requireName(text: string): string {
  const name = sanitizeFileName(text)
  if (name === '')
    throw invalid(
      'name',
      'this name is empty after folders, dots and control characters are removed.',
      'Send a name such as report.pdf.',
    )
  return name
}

function linkName(url: string): string {
  const { host, pathname } = new URL(url)
  return `${host}${pathname === '/' ? '' : pathname}`.slice(0, 500)
}

async function storeAttachment(
  ctx: WriteContext,
  name: string | undefined,
  text: string,
): Promise<Row<'files'>> {
  if (name === undefined)
    throw invalid(
      'name',
      'content_base64 requires a name; its extension determines the type.',
      'Send a name such as report.pdf.',
    )
  return storeAttached(ctx, { name, bytes: decodeBase64(text) })
}

/** Buffer accepts invalid base64, so the text must match its re-encoding. */
function decodeBase64(text: string): Buffer {
  const bytes = Buffer.from(text, 'base64')
  if (bytes.length > maxBytes)
    throw new Refusal(
      'too_large',
      `content_base64: ${bytes.length} bytes exceed the attachment limit of ${maxBytes} bytes (512 KiB).`,
      { field: 'content_base64', hint: 'Upload the file to the drive, or attach a link to it.' },
    )
  if (bytes.toString('base64') !== text)
    throw invalid(
      'content_base64',
      'this is not valid base64 (RFC 4648 §4, with padding, without line breaks).',
    )
  return bytes
}

/** Finds an identical file or link, which is attached only once. */
async function existingAttachment(
  ctx: ReadContext,
  taskRow: Row<'tasks'>,
  fileId: Id<'files'> | undefined,
  url: string | undefined,
): Promise<Row<'task_attachments'> | undefined> {
  const query = attachment
    .visibleTo(ctx)
    .selectAll('task_attachments')
    .where('task_attachments.task_id', '=', taskRow.id)
  if (fileId !== undefined)
    return query.where('task_attachments.file_id', '=', fileId).executeTakeFirst()
  return url === undefined
    ? undefined
    : query.where('task_attachments.web_url', '=', url).executeTakeFirst()
}

async function requireAttachmentCapacity(ctx: ReadContext, taskRow: Row<'tasks'>): Promise<void> {
  const { count } = await attachment
    .visibleTo(ctx)
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .where('task_attachments.task_id', '=', taskRow.id)
    .executeTakeFirstOrThrow()
  if (count >= maxAttachments)
    throw new Refusal(
      'conflict',
      `This task already has ${maxAttachments} attachments, the maximum.`,
      'Remove an attachment first with remove_task_attachment.',
    )
}

async function presentAttachment(ctx: ReadContext, row: Row<'task_attachments'>) {
  return (await presentAttachments(ctx, row.task_id)).find((shape) => shape.id === row.id)!
}

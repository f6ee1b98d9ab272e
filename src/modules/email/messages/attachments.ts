import { omitNullish } from '../../../kernel/present.ts'
import { z } from 'zod'
import { putBlob, type Blob } from '../../../files/blobs.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { shortText } from '../../../kernel/fields.ts'
import type { Outside } from '../../../operations/jobs/job.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { bytesOf, file } from '../../drive/access.ts'
import { addFile, File, FileContent, presentFile } from '../../drive/shapes.ts'
import { email, emailAttachment } from '../access.ts'
import { sliceOf } from './slices.ts'
import {
  fetchAttachment,
  storeAttachmentText,
  maxAttachmentBytes,
  unreadableAttachmentReason,
  type FetchedAttachment,
} from '../sync/downloads.ts'

/** Maximum attachment bytes in an answer. */
const maxInlineBytes = 2 ** 20

type Attachment = Row<'email_attachments'>

export const getEmailAttachment = operation({
  name: 'get_email_attachment',
  searchHint: 'open an attached file, read the attached pdf, what is in the attachment',
  kind: 'read',
  weight: 3,
  rest: 'GET /api/email-attachments/{attachment_id}',
  about: 'Content of an attachment as extracted text, or bytes when small',
  on: { attachment: emailAttachment.see },
  input: {
    format: z.enum(['text', 'base64']).default('text').describe('base64: the bytes, up to 1 MiB'),
    max_chars: z.int().min(1).max(200_000).default(20_000),
    offset: z.int().min(0).default(0).describe('characters of the text to skip'),
  },
  output: FileContent,
  async fetch({ attachment, format }, outside): Promise<FetchedAttachment | undefined> {
    if (
      format === 'text'
        ? attachment.text_state === 'ready' || attachment.text_state === 'failed'
        : attachment.size_bytes > 2 * maxInlineBytes || attachment.file_id !== null
    )
      return undefined
    const fetched = await fetchFromServer(outside, attachment)
    if (fetched && format === 'text') await storeAttachmentText(outside, attachment, fetched)
    return fetched
  },
  async handle({ attachment, format, max_chars, offset }, ctx) {
    const attachmentInfo = {
      file_or_attachment: emailAttachment.ref(attachment, ctx.baseUrl),
      mime_type: attachment.mime_type,
      size_bytes: attachment.size_bytes,
    }
    if (format === 'base64')
      return {
        ...attachmentInfo,
        format,
        base64: Buffer.from(await readAttachment(ctx, attachment)).toString('base64'),
        offset: 0,
        extraction: 'none' as const,
      }
    if (attachment.text_state !== 'ready' || attachment.text === null)
      return {
        ...attachmentInfo,
        format: 'text' as const,
        offset: 0,
        extraction: 'none' as const,
        note: missingTextNote(ctx, attachment),
      }
    const { text, offset: from, next } = sliceOf(attachment.text, offset, max_chars)
    return omitNullish({
      ...attachmentInfo,
      format: 'text' as const,
      content: {
        text,
        trust: 'external' as const,
        source: await attachmentOrigin(ctx, attachment),
      },
      offset: from,
      total_chars: attachment.text.length,
      next_offset: next,
      extraction: 'native' as const,
      note:
        attachment.text_cut === 1
          ? `The text is longer; its first ${attachment.text.length} characters are kept.`
          : undefined,
    })
  },
})

/** Fetches an attachment; mail sent from here has no copy on the server to fetch it from. */
async function fetchFromServer(
  outside: Outside,
  attachment: Attachment,
): Promise<FetchedAttachment | undefined> {
  const row = await outside.write(({ all }) =>
    all
      .selectFrom('emails')
      .selectAll()
      .where('id', '=', attachment.email_id as Row<'emails'>['id'])
      .executeTakeFirst(),
  )
  return row && fetchAttachment(outside, row, attachment)
}

function missingTextNote(ctx: ReadContext, attachment: Attachment): string {
  const unreadable = unreadableAttachmentReason(attachment)
  if (unreadable) return `${unreadable} save_email_attachment saves it to the drive.`
  if (attachment.text_state === 'failed' || ctx.prefetched)
    return 'No text could be extracted: it may be an image, password-protected or in an unsupported format. Request format base64 if it is small, or save it with save_email_attachment.'
  if (attachment.size_bytes > maxAttachmentBytes)
    return `It is larger than ${maxAttachmentBytes} bytes and is not fetched.`
  return 'It is not stored here, and the mail server did not return it. Try again later.'
}

async function attachmentOrigin(ctx: ReadContext, attachment: Attachment): Promise<string> {
  const emailRow = await email.find(ctx, attachment.email_id)
  return `“${attachment.name}”, attached to an email${emailRow?.from_email ? ` from ${emailRow.from_email}` : ''}`
}

async function readAttachment(ctx: ReadContext, attachment: Attachment): Promise<Uint8Array> {
  const fileRow = attachment.file_id === null ? undefined : await file.find(ctx, attachment.file_id)
  const content = fileRow
    ? bytesOf(ctx, fileRow)
    : (ctx.prefetched as FetchedAttachment | undefined)?.content
  const size = content?.byteLength ?? attachment.size_bytes
  if (size > maxInlineBytes)
    throw new Refusal(
      'too_large',
      `The attachment has ${size} bytes; an answer holds at most ${maxInlineBytes}.`,
      {
        hint: 'Save it to the drive.',
        next: { tool: 'save_email_attachment', arguments: { attachment_id: attachment.id } },
      },
    )
  if (!content) throw notAvailable()
  return content
}

function notAvailable(): Refusal {
  return new Refusal(
    'unavailable',
    'The attachment is not stored here, and the mail server did not return it.',
    {
      hint: 'Try again later; list_email_accounts shows the state of the mailbox.',
      retry_after_seconds: 60,
    },
  )
}

interface FetchedBlob {
  blob: Blob
  mime: string
}

export const saveEmailAttachment = operation({
  name: 'save_email_attachment',
  searchHint: 'keep an attachment, put the attached file in the drive',
  kind: 'write',
  weight: 5,
  rest: 'POST /api/email-attachments/{attachment_id}/save',
  creates: 'item',
  about: 'Copy an attachment into a drive folder',
  on: {
    attachment: emailAttachment.see,
    folder: file.edit.maybe.describe('default: the top of your drive'),
  },
  input: { name: shortText(200).min(1).optional().describe('default: its own') },
  output: File,
  async fetch({ attachment }, outside): Promise<FetchedBlob | undefined> {
    if (attachment.size_bytes > maxAttachmentBytes)
      throw new Refusal(
        'too_large',
        `The attachment has ${attachment.size_bytes} bytes; at most ${maxAttachmentBytes} can be copied.`,
      )
    const fetched =
      attachment.file_id === null ? await fetchFromServer(outside, attachment) : undefined
    return fetched && { blob: putBlob(outside.settings.data, fetched.content), mime: fetched.mime }
  },
  async handle({ attachment, folder, name }, ctx) {
    if (folder && folder.type !== 'folder')
      throw invalid('folder_id', `“${folder.name}” is not a folder.`)
    const fileRow =
      attachment.file_id === null ? undefined : await file.find(ctx, attachment.file_id)
    const brought = ctx.prefetched as FetchedBlob | undefined
    const blob = fileRow ? putBlob(ctx.settings.data, bytesOf(ctx, fileRow)) : brought?.blob
    if (!blob) throw notAvailable()
    return presentFile(
      ctx,
      await addFile(ctx, {
        name: name ?? attachment.name,
        blob,
        mime: fileRow?.mime_type ?? attachment.mime_type,
        folder,
        trust: 'external',
      }),
    )
  },
})

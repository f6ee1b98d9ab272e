import { randomBytes } from 'node:crypto'
import { z } from 'zod'
import { tokenHash } from '../../../keys/tokens.ts'
import { putBlob, type Blob } from '../../../files/blobs.ts'
import type { WriteContext } from '../../../operations/context.ts'
import { secret, shortText, webUrl } from '../../../kernel/fields.ts'
import { mimeTypeOf } from '../../../kernel/text/file-names.ts'
import { newId } from '../../../kernel/ids.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { iso } from '../../../kernel/time/times.ts'
import { peopleRefs } from '../../directory/shapes.ts'
import { commonOf } from '../../../records/shapes.ts'
import { file, uploadSession } from '../access.ts'
import { isLinked } from '../shares/access-links.ts'
import { announcedUploadsOf } from '../files/access-tree.ts'
import {
  addFile,
  requireFileName,
  requireQuotaForUpload,
  folderOrRoot,
  placeInFolder,
} from '../files/creation.ts'
import { downloadWebFile, type WebFile } from '../files/web-downloads.ts'
import { bytesFromInput, maxTextLength } from '../files/text-inputs.ts'
import { isRemote } from '../files/google-files.ts'
import { File, presentFile, UploadSession } from '../shapes.ts'
import { quantity } from '../../../kernel/text/quantity.ts'

const mimeType = () =>
  z
    .string()
    .regex(/^[\w.+-]{1,80}\/[\w.+-]{1,80}$/, 'must be a media type such as text/csv')
    .optional()
    .describe('default: from the name')
/** Milliseconds within which an announced upload must begin. */
const sessionLifetimeMs = 60 * 60_000
/** Maximum number of open upload sessions per person. */
const maxOpen = 50

export const uploadFile = operation({
  name: 'upload_file',
  searchHint: 'save a document, add a file, attach from the web',
  kind: 'write',
  weight: 5,
  rest: 'POST /api/files',
  creates: 'item',
  about:
    'Create a file from text, small base64 content or a public web address; use create_upload_session for large files',
  on: { folder: file.edit.maybe.describe('default: the top of your own drive') },
  input: {
    name: shortText(1000).min(1),
    content_text: secret(z.string().max(maxTextLength)).optional(),
    content_base64: secret(z.string().max(2 * maxTextLength)).optional(),
    source_url: webUrl()
      .optional()
      .describe('fetched once, now; its content counts as written by people outside'),
    mime_type: mimeType(),
    on_conflict: z
      .enum(['rename', 'new_version', 'fail'])
      .default('rename')
      .describe('if a file of that name exists'),
  },
  output: File,
  outbound: (args) => args.source_url !== undefined,
  prepare: async ({ source_url, content_text, content_base64 }, { outbound, settings }) => {
    if (source_url !== undefined && content_text === undefined && content_base64 === undefined)
      return downloadWebFile(source_url, outbound, settings)
  },
  async handle(
    { folder, name, content_text, content_base64, source_url, mime_type, on_conflict },
    ctx,
  ) {
    if (source_url !== undefined && (content_text !== undefined || content_base64 !== undefined))
      throw invalid(
        'source_url',
        'cannot be combined with content_text or content_base64.',
        'Send one of them.',
      )
    const { blob, mime } =
      source_url === undefined
        ? { blob: storeSentContent(ctx, content_text, content_base64), mime: undefined }
        : prefetchedFile(ctx)
    const fileName = requireFileName(name)
    const type =
      mime_type ??
      (mimeTypeOf(fileName) === 'application/octet-stream'
        ? (mime ?? (content_text === undefined ? undefined : 'text/plain'))
        : undefined)
    return presentFile(
      ctx,
      await addFile(ctx, {
        name: fileName,
        blob,
        mime: type,
        folder,
        onConflict: on_conflict,
        trust: source_url === undefined ? 'internal' : 'external',
      }),
    )
  },
})

function storeSentContent(
  ctx: WriteContext,
  content_text: string | undefined,
  content_base64: string | undefined,
): Blob {
  const bytes = bytesFromInput({ content_text, content_base64 })
  if (!bytes)
    throw invalid(
      'content_text',
      'nothing to upload.',
      'Send content_text, content_base64 or source_url; for a large file use create_upload_session.',
    )
  return putBlob(ctx.settings.data, bytes)
}

/** Returns the prefetched content; a nested call cannot fetch. */
function prefetchedFile(ctx: WriteContext): WebFile {
  if (ctx.prefetched === undefined)
    throw invalid(
      'source_url',
      'an address cannot be fetched inside another call.',
      'Call upload_file directly.',
    )
  return ctx.prefetched as WebFile
}

export const createUploadSession = operation({
  name: 'create_upload_session',
  searchHint: 'large file, big upload, video',
  kind: 'write',
  rest: 'POST /api/upload-sessions',
  about: 'Get a short-lived address to PUT a large binary file to, outside the conversation',
  on: { folder: file.edit.maybe.describe('default: the top of your own drive') },
  input: {
    name: shortText(1000).min(1),
    size_bytes: z
      .int()
      .min(0)
      .max(2 ** 50)
      .describe('exact size of the upload'),
    mime_type: mimeType(),
    sha256: z
      .string()
      .regex(/^[0-9a-f]{64}$/, 'must be 64 hexadecimal digits in small letters')
      .optional()
      .describe('checked against the upload'),
  },
  output: UploadSession,
  redactOnReplay: ['upload_url'],
  async handle({ folder, name, size_bytes, mime_type, sha256 }, ctx) {
    const maxBytes = ctx.settings.drive_file_megabytes * 2 ** 20
    if (size_bytes > maxBytes)
      throw new Refusal('too_large', `size_bytes: a file may have at most ${maxBytes} bytes.`, {
        field: 'size_bytes',
        context: { limit: maxBytes },
      })
    const { count } = await announcedUploadsOf(ctx, ctx.actor.id)
    if (count >= maxOpen)
      throw new Refusal(
        'conflict',
        `${quantity(count, 'upload session is', 'upload sessions are')} still open.`,
        'Complete those first; each expires after an hour.',
      )
    const targetFolder = await folderOrRoot(ctx, folder)
    if (ctx.actor.key?.hold_outbound && (await isLinked(ctx, targetFolder)))
      throw publicFolderRefusal()
    const called = requireFileName(name)
    if (!isRemote(targetFolder))
      await requireQuotaForUpload(ctx, placeInFolder(ctx, targetFolder).owner_id, size_bytes)
    const token = `${newId('ups', ctx.now).slice(4)}${randomBytes(24).toString('base64url')}`
    const row = await ctx.add('upload_sessions', {
      owner_id: ctx.actor.id,
      key_id: ctx.actor.key?.id ?? null,
      folder_id: targetFolder.id,
      name: called,
      mime_type: mime_type ?? mimeTypeOf(called),
      size_bytes,
      sha256: sha256 ?? null,
      token_hash: tokenHash(token),
      expires_at: ctx.now + sessionLifetimeMs,
    })
    const people = await peopleRefs(ctx, [row.created_by])
    return {
      ...commonOf(row, uploadSession.url(row, ctx.baseUrl), people),
      upload_url: `${ctx.baseUrl}/uploads/${token}`,
      method: 'PUT' as const,
      headers: { 'content-type': row.mime_type, 'content-length': String(size_bytes) },
      expires_at: iso(row.expires_at),
      max_bytes: size_bytes,
      status: uploadStateOf(row, ctx.now),
    }
  },
})

/** Refuses an upload into a shared folder: its content is still unknown, so it cannot be approved. */
function publicFolderRefusal(): Refusal {
  return new Refusal(
    'conflict',
    'People outside can see this folder through a link, so this key cannot upload to it directly.',
    {
      field: 'folder_id',
      hint: 'Upload to another folder, then move the file with move_file: the move awaits approval, and the file can be reviewed first.',
    },
  )
}

function uploadStateOf(row: Row<'upload_sessions'>, now: number): 'open' | 'completed' | 'expired' {
  if (row.completed_at !== null) return 'completed'
  return row.expires_at <= now ? 'expired' : 'open'
}

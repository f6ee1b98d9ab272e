import { shape } from '../../../kernel/shape.ts'
import { omitNullish } from '../../../kernel/present.ts'
import { isUtf8 } from 'node:buffer'
import { z } from 'zod'
import { putBlob, readBlob, type Blob } from '../../../files/blobs.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { secret } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { readLink, signLink } from '../../../files/signed-links.ts'
import { iso } from '../../../kernel/time/times.ts'
import { file, fileVersion } from '../access.ts'
import { fileText } from './access-texts.ts'
import { isPlainText } from './file-types.ts'
import { FileContent } from '../shapes.ts'
import { prefetchContent, prefetchForReading, type PrefetchedContent } from '../sync/downloads.ts'

/** Maximum number of bytes in an answer. */
const maxInlineBytes = 2 ** 20
/** Milliseconds for which a download link is valid. */
const linkLifetimeMs = 10 * 60_000
/** Plain text larger than this is read from what was extracted only. */
const maxPlainBytes = 8 * 2 ** 20

const Download = shape('FileDownload', {
  download: z.strictObject({
    name: z.string(),
    mime_type: z.string(),
    content_base64: z.string().optional(),
    sha256: z.string().optional(),
    size_bytes: z.int().optional(),
  }),
})

/** The content of a file's current or an earlier version. */
type Content = Pick<
  Row<'files'>,
  'sha256' | 'size_bytes' | 'mime_type' | 'content_base64' | 'trust'
> & { version_id?: string; isCurrent: boolean }

export const getFileContent = operation({
  name: 'get_file_content',
  searchHint: 'read a document, open a pdf, text of a file, download',
  kind: 'read',
  rest: 'GET /api/files/{file_id}/content',
  about:
    'Content as extracted text or markdown in parts, bytes if small, otherwise a short-lived download link',
  on: {
    file: file.see,
    version: fileVersion.see.of('file', 'file_id').maybe.describe('default: the current one'),
  },
  input: {
    format: z
      .enum(['text', 'markdown', 'base64', 'link'])
      .optional()
      .describe('default: text if available, bytes if small, else a link'),
    offset: z.int().min(0).default(0).describe('characters of the text to skip'),
    max_chars: z.int().min(1).max(100_000).default(20_000).describe('of text, from offset'),
  },
  output: FileContent,
  fetch: ({ file: row, version, format }, outside) =>
    prefetchForReading(outside, row, version, format),
  async handle({ file: row, version, format, offset, max_chars }, ctx) {
    const prefetched = ctx.prefetched as PrefetchedContent | undefined
    const content = fileContentOf(row, version, prefetched)
    const about = omitNullish({
      file_or_attachment: file.ref(row, ctx.baseUrl),
      version_id: content.version_id,
      mime_type: content.mime_type,
      size_bytes: content.size_bytes,
    })
    if (format === 'base64') return { ...about, ...bytesAnswer(ctx, content, 'too_large') }
    if (format === 'link') return { ...about, ...linkAnswer(ctx, row, version, prefetched) }
    const text = await readFileBody(ctx, row, content)
    if (text !== undefined && text.body !== '')
      return omitNullish({
        ...about,
        ...sliceOf(text.body, text.format, { offset, max_chars }),
        content: omitNullish({
          text: slice(text.body, offset, max_chars),
          trust: content.trust,
          source: content.trust === 'external' ? row.name : undefined,
        }),
        note: text.problem,
      })
    if (format !== undefined) throw noTextRefusal(row, content, text?.problem)
    return {
      ...about,
      ...(content.size_bytes <= maxInlineBytes
        ? bytesAnswer(ctx, content)
        : linkAnswer(ctx, row, version, prefetched)),
      ...contentNoteOf(row, content, text?.problem),
    }
  },
})

function fileContentOf(
  row: Row<'files'>,
  version: Row<'file_versions'> | undefined,
  brought?: PrefetchedContent,
): Content {
  if (row.type === 'folder')
    throw invalid(
      'file_id',
      `“${row.name}” is a folder.`,
      'List its contents with list_files and its folder_id.',
    )
  const fetched = brought && {
    sha256: brought.blob.sha256,
    size_bytes: brought.blob.size,
    mime_type: brought.mime,
  }
  if (!version) return { ...row, ...fetched, isCurrent: true }
  return {
    sha256: version.sha256,
    size_bytes: version.size_bytes,
    mime_type: version.mime_type,
    content_base64: '',
    trust: version.trust,
    version_id: version.id,
    isCurrent: version.number === row.version,
    ...fetched,
  }
}

/** The extracted text of the current version, or plain text as it is. */
async function readFileBody(
  ctx: ReadContext,
  row: Row<'files'>,
  content: Content,
): Promise<{ body: string; format: 'text' | 'markdown'; problem: string | null } | undefined> {
  const extracted = content.isCurrent ? await fileText(ctx, row) : undefined
  if (extracted) return extracted
  if (!isPlainText(content.mime_type) || content.size_bytes > maxPlainBytes) return undefined
  const bytes = contentBytes(ctx, content)
  return isUtf8(bytes)
    ? {
        body: bytes.toString('utf8').replace(/^\ufeff/, ''),
        format: content.mime_type === 'text/markdown' ? 'markdown' : 'text',
        problem: null,
      }
    : undefined
}

function sliceOf(
  text: string,
  format: 'text' | 'markdown',
  { offset, max_chars }: { offset: number; max_chars: number },
) {
  const end = sliceEndOf(text, offset, max_chars)
  return omitNullish({
    format,
    offset: Math.min(offset, text.length),
    total_chars: text.length,
    next_offset: end < text.length ? end : undefined,
    extraction: 'native' as const,
  })
}

function slice(text: string, offset: number, maxLength: number): string {
  return text.slice(offset, sliceEndOf(text, offset, maxLength))
}

/** The end of a slice that does not split a character. */
function sliceEndOf(text: string, offset: number, limit: number): number {
  const end = Math.min(text.length, offset + limit)
  return end < text.length && end > offset + 1 && /[\ud800-\udbff]/.test(text[end - 1]!)
    ? end - 1
    : end
}

/** A note on why an answer has no text. */
function contentNoteOf(
  row: Row<'files'>,
  content: Content,
  problem: string | null | undefined,
): { note?: string } {
  if (problem) return { note: problem }
  return row.text_status === 'pending' && content.isCurrent
    ? { note: 'Its text is being extracted; try again in a moment.' }
    : {}
}

function noTextRefusal(
  row: Row<'files'>,
  content: Content,
  problem: string | null | undefined,
): Refusal {
  if (row.text_status === 'pending' && content.isCurrent)
    return new Refusal('unavailable', `The text of “${row.name}” is being extracted.`, {
      hint: 'Try again in a moment, or use format link.',
      retry_after_seconds: 5,
    })
  return invalid(
    'format',
    `no text is available for ${content.isCurrent ? '' : 'that version of '}“${row.name}”.${problem ? ` ${problem}` : ''}`,
    'Use format link, or base64 if it is small.',
  )
}

function bytesAnswer(ctx: ReadContext, content: Content, refusalCode?: 'too_large') {
  if (content.size_bytes > maxInlineBytes && refusalCode)
    throw new Refusal(
      refusalCode,
      `The file has ${content.size_bytes} bytes, more than the ${maxInlineBytes} that fit in an answer.`,
      'Use format link.',
    )
  return {
    format: 'base64' as const,
    base64: contentBytes(ctx, content).toString('base64'),
    offset: 0,
    extraction: 'none' as const,
  }
}

function contentBytes(ctx: ReadContext, content: Content): Buffer {
  if (content.content_base64 !== '') return Buffer.from(content.content_base64, 'base64')
  requireStored(content)
  return readBlob(ctx.settings.data, { sha256: content.sha256, size: content.size_bytes })
}

/** The content of a Google file is fetched before a direct call runs, but not for calls made by other operations. */
function requireStored({ sha256 }: Pick<Content, 'sha256'>): void {
  if (sha256 === '')
    throw new Refusal(
      'not_connected',
      'The content of this file is in a connected Google drive.',
      'Call get_file_content or copy_file directly.',
    )
}

/** The blob with the content of a visible file; content still in the database is stored as a blob first. */
export function blobOfFile(ctx: Pick<ReadContext, 'settings'>, row: Row<'files'>): Blob {
  if (row.content_base64 !== '')
    return putBlob(ctx.settings.data, Buffer.from(row.content_base64, 'base64'))
  requireStored(row)
  return { sha256: row.sha256, size: row.size_bytes }
}

function linkAnswer(
  ctx: ReadContext,
  row: Row<'files'>,
  version: Row<'file_versions'> | undefined,
  brought: PrefetchedContent | undefined,
) {
  const until = ctx.now + linkLifetimeMs
  const args = omitNullish({
    file_id: row.id,
    version_id: version ? version.id : undefined,
    brought,
  })
  const token = signLink(ctx.settings.data, {
    person: ctx.actor.id,
    key: ctx.actor.key?.id ?? null,
    tool: 'fetch_file',
    args,
    until,
  })
  return {
    format: 'link' as const,
    download_url: `${ctx.baseUrl}/exports/${token}`,
    expires_at: iso(until),
    offset: 0,
    extraction: 'none' as const,
  }
}

/** Serves the content that get_file_content announced, as the person sees it at the time of the download. */
export const fetchFile = operation({
  name: 'fetch_file',
  kind: 'read',
  weight: 5,
  rest: 'GET /api/downloads/{token}',
  about: 'The file that get_file_content named',
  unlisted: true,
  input: { token: secret(z.string().max(4000)) },
  output: Download,
  async handle({ token }, ctx) {
    const link = readLink(ctx.settings.data, token, ctx.now)
    if (
      link?.tool !== 'fetch_file' ||
      link.person !== ctx.actor.id ||
      link.key !== (ctx.actor.key?.id ?? null)
    )
      throw notFound('download', 'token')
    const { file_id, version_id, brought } = link.args as {
      file_id: string
      version_id?: string
      brought?: PrefetchedContent
    }
    const row = await file.demand(ctx, file_id, 'see', 'token')
    const version =
      version_id === undefined
        ? undefined
        : await fileVersion.demand(ctx, version_id, 'see', 'token')
    return { download: downloadOf(brought?.name ?? row.name, fileContentOf(row, version, brought)) }
  },
})

export const downloadFile = operation({
  name: 'download_file',
  kind: 'read',
  weight: 5,
  rest: 'GET /files/{file_id}',
  about: 'Content of a file',
  unlisted: true,
  on: { file: file.see },
  output: Download,
  fetch: ({ file: row }, outside) => prefetchContent(outside, row),
  async handle({ file: row }, ctx) {
    const brought = ctx.prefetched as PrefetchedContent | undefined
    return {
      download: downloadOf(brought?.name ?? row.name, fileContentOf(row, undefined, brought)),
    }
  },
})

function downloadOf(name: string, content: Content): z.infer<typeof Download>['download'] {
  const { mime_type, content_base64, sha256, size_bytes } = content
  if (content_base64 !== '') return { name, mime_type, content_base64 }
  requireStored(content)
  return { name, mime_type, sha256, size_bytes }
}

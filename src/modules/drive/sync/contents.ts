import { omitNullish } from '../../../kernel/present.ts'
import type { DriveFailure, DriveServer } from '../../../connectors/google/drive.ts'
import { downloadDriveContent, exportDocument } from '../../../connectors/google/drive-contents.ts'
import { extractText } from '../../../connectors/extract.ts'
import type { ExtractedText } from '../../../connectors/extract-shapes.ts'
import { receiveBlob, type Blob } from '../../../files/blobs.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import type { Settings } from '../../../config/settings.ts'
import { isGoogleDocument, parseRemoteState } from '../files/google-files.ts'

type FileRow = Row<'files'>

/** Maximum number of characters of a file's text. */
const maxTextLength = 500_000

const office = 'application/vnd.openxmlformats-officedocument'
/** Export formats of Google documents when their bytes are requested, with the file extension. */
const exportFormats: Record<string, readonly [mime: string, extension: string]> = {
  'application/vnd.google-apps.document': [`${office}.wordprocessingml.document`, '.docx'],
  'application/vnd.google-apps.spreadsheet': [`${office}.spreadsheetml.sheet`, '.xlsx'],
  'application/vnd.google-apps.presentation': [`${office}.presentationml.presentation`, '.pptx'],
  'application/vnd.google-apps.drawing': ['image/png', '.png'],
}
/** Export formats for their text: of a spreadsheet all sheets if they can be read, else the first. */
const textExportFormats: Record<string, readonly string[]> = {
  'application/vnd.google-apps.document': ['text/markdown'],
  'application/vnd.google-apps.spreadsheet': [`${office}.spreadsheetml.sheet`, 'text/csv'],
  'application/vnd.google-apps.presentation': ['text/plain'],
}

/** Content fetched from Google. */
export interface FetchedContent {
  blob: Blob
  mime: string
  name: string
}

/** Google's id of a file; for a shortcut, that of its target. */
function driveTargetId(row: FileRow): string {
  return parseRemoteState(row)?.target?.id ?? row.remote_id!
}

/** Fetches the bytes of a file to the disk; Google documents as office files. @throws DriveFailure, Refusal */
export async function fetchFile(
  server: DriveServer,
  settings: Pick<Settings, 'data' | 'drive_file_megabytes'>,
  row: FileRow,
): Promise<FetchedContent> {
  const { name, mime_type: mime } = row
  if (isGoogleDocument(mime)) {
    const [exportMime, extension] = exportFormats[mime] ?? []
    if (exportMime === undefined)
      throw new Refusal('conflict', `“${name}” is of a kind that Google cannot export as a file.`, {
        hint: 'Open it in Google Drive.',
        context: { google_url: parseRemoteState(row)?.link },
      })
    const bytes = await exportDocument(server, driveTargetId(row), exportMime)
    return {
      blob: await receiveBlob(settings.data, asStream(bytes), { maxBytes: bytes.length }),
      mime: exportMime,
      name: `${name}${extension}`,
    }
  }
  const { sha256 } = parseRemoteState(row) ?? {}
  const size = sizeOf(row)
  const blob = await receiveBlob(
    settings.data,
    downloadDriveContent(server, { id: driveTargetId(row), size }),
    omitNullish({
      maxBytes: maxBytes(settings),
      size,
      sha256: sha256 || undefined,
    }),
  )
  return { blob, mime, name }
}

function sizeOf(row: FileRow): number {
  if (parseRemoteState(row)?.target)
    throw new Refusal(
      'conflict',
      `“${row.name}” is a shortcut to another file.`,
      'Use the file it points to.',
    )
  return row.size_bytes
}

const maxBytes = (settings: Pick<Settings, 'drive_file_megabytes'>) =>
  settings.drive_file_megabytes * 2 ** 20

/** The same for an earlier version. */
export function fetchRevision(
  server: DriveServer,
  settings: Pick<Settings, 'data' | 'drive_file_megabytes'>,
  row: FileRow,
  version: Row<'file_versions'>,
): Promise<Blob> {
  return receiveBlob(
    settings.data,
    downloadDriveContent(server, {
      id: row.remote_id!,
      revision: version.remote_id!,
      size: version.size_bytes,
    }),
    { maxBytes: maxBytes(settings), size: version.size_bytes },
  )
}

async function* asStream(bytes: Uint8Array): AsyncGenerator<Uint8Array> {
  yield bytes
}

/** Reads the text of a file; nothing of its content stays on the disk. @throws DriveFailure */
export async function readText(server: DriveServer, row: FileRow): Promise<ExtractedText> {
  let text: ExtractedText = {
    text: '',
    kind: 'none',
    format: 'text',
    warnings: ['Text cannot be extracted from this kind of file.'],
  }
  if (!isGoogleDocument(row.mime_type))
    return extractText(await bytesOf(server, row), row.mime_type, row.name, {
      characters: maxTextLength,
    })
  for (const as of textExportFormats[row.mime_type] ?? []) {
    text = await extractText(await exportDocument(server, driveTargetId(row), as), as, row.name, {
      characters: maxTextLength,
    })
    if (text.kind === 'native')
      return as === 'text/markdown' ? { ...text, format: 'markdown' } : text
  }
  return text
}

async function bytesOf(server: DriveServer, row: FileRow): Promise<Buffer> {
  const parts: Uint8Array[] = []
  for await (const part of downloadDriveContent(server, {
    id: driveTargetId(row),
    size: sizeOf(row),
  }))
    parts.push(part)
  return Buffer.concat(parts)
}

/** Explains to the requester why a content is unavailable. */
export function describeDriveError(error: DriveFailure, row: FileRow): Refusal {
  if (error.isMissing)
    return new Refusal(
      'conflict',
      `“${row.name}” is no longer in Google Drive, or you no longer have access.`,
    )
  if (error.isTransient)
    return new Refusal('unavailable', 'Google Drive returned an unexpected answer.', {
      retry_after_seconds: error.retryAfter ?? 30,
    })
  if (error.reason === 'exportSizeLimitExceeded')
    return new Refusal(
      'too_large',
      `“${row.name}” is larger than Google can export (10 MB).`,
      'Open it in Google Drive.',
    )
  return new Refusal('provider_error', error.message)
}

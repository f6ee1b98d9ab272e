// File contents in pieces: at most one piece in memory. The library would buffer everything, and sends uploads to a
// different address than configured.

import { fileFields, parseRemoteFile, type RemoteFile } from './drive-files.ts'
import {
  requestWithToken,
  requireSuccess,
  DriveFailure,
  failureOf,
  type DriveServer,
} from './drive-requests.ts'

/** Bytes per piece; Google requires multiples of 256 KiB. */
const pieceBytes = 4 * 2 ** 20

/** Content to fetch: the current one of a file, or that of a revision. */
export interface DriveContentRequest {
  id: string
  revision?: string | undefined
  size: number
}

/** Downloads the bytes of a file. @throws DriveFailure */
export async function* downloadDriveContent(
  server: DriveServer,
  { id, revision, size }: DriveContentRequest,
): AsyncGenerator<Uint8Array> {
  const path = `${driveFileUrl(server, id)}${revision === undefined ? '' : `/revisions/${encodeURIComponent(revision)}`}?alt=media${revision === undefined ? '&supportsAllDrives=true' : ''}`
  for (let at = 0; at < size; ) {
    const answer = requireSuccess(
      await requestWithToken(server, path, {
        method: 'GET',
        headers: { range: `bytes=${at}-${Math.min(size, at + pieceBytes) - 1}` },
      }),
    )
    if (answer.body.length === 0 || (answer.status === 200 && answer.body.length !== size))
      throw new DriveFailure(0, 'other_content', 'The file changed while it was downloaded.')
    yield answer.body
    at += answer.body.length
  }
}

/** Exports a Google document in another format; Google's limit is 10 MB. @throws DriveFailure */
export async function exportDocument(
  server: DriveServer,
  id: string,
  mime: string,
): Promise<Uint8Array> {
  return requireSuccess(
    await requestWithToken(
      server,
      `${driveFileUrl(server, id)}/export?mimeType=${encodeURIComponent(mime)}`,
      {
        method: 'GET',
        headers: {},
      },
    ),
  ).body
}

/** Content to upload to Google. */
export interface DriveUpload {
  id: string
  mime: string
  size: number
  /** Metadata of a new file. */
  newFile?: { name: string; parent: string; description: string | null } | undefined
  /** Bytes in a range, both ends included. */
  bytes(from: number, to: number): Promise<Uint8Array>
}

/**
 * Uploads content as a new version of a file, or as a new file. @throws DriveFailure; 409 if the new file exists
 * already
 */
export async function sendContent(server: DriveServer, upload: DriveUpload): Promise<RemoteFile> {
  const uploadUrl = await openUpload(server, upload)
  let at = 0
  do {
    const end = Math.min(upload.size, at + pieceBytes)
    const bytes = at === end ? new Uint8Array() : await upload.bytes(at, end - 1)
    const answer = await requestWithToken(server, uploadUrl, {
      method: 'PUT',
      headers: {
        'content-type': upload.mime,
        'content-range': upload.size === 0 ? 'bytes */0' : `bytes ${at}-${end - 1}/${upload.size}`,
      },
      body: bytes,
    })
    if (answer.status !== 308) return fileIn(requireSuccess(answer).body)
    const next = /^bytes=0-(\d+)$/.exec(String(answer.headers.range ?? ''))?.[1]
    if (next === undefined || Number(next) + 1 <= at)
      throw new DriveFailure(0, 'stuck', 'Google did not accept any data of an upload part.')
    at = Number(next) + 1
  } while (at < upload.size)
  throw new DriveFailure(0, 'stuck', 'Google has the whole file but still expects more.')
}

async function openUpload(
  server: DriveServer,
  { id, mime, size, newFile }: DriveUpload,
): Promise<string> {
  const origin = new URL(server.root).origin
  const query = `uploadType=resumable&supportsAllDrives=true&fields=${encodeURIComponent(fileFields)}`
  const headers = {
    'content-type': 'application/json',
    'x-upload-content-type': mime,
    'x-upload-content-length': String(size),
  }
  const meta = newFile
    ? {
        id,
        name: newFile.name,
        mimeType: mime,
        parents: [newFile.parent],
        ...(newFile.description === null ? {} : { description: newFile.description }),
      }
    : {}
  const answer = await requestWithToken(
    server,
    `${origin}/upload/drive/v3/files${newFile ? '' : `/${encodeURIComponent(id)}`}?${query}`,
    { method: newFile ? 'POST' : 'PATCH', headers, body: JSON.stringify(meta) },
  )
  if (answer.status !== 200) throw failureOf(answer)
  const uploadUrl = String(answer.headers.location ?? '')
  if (!URL.canParse(uploadUrl) || new URL(uploadUrl).origin !== origin)
    throw new DriveFailure(0, 'elsewhere', 'Google did not return an upload address of its own.') // the token is sent there
  return uploadUrl
}

function fileIn(body: Uint8Array): RemoteFile {
  const file = parseRemoteFile(JSON.parse(Buffer.from(body).toString('utf8')) as object)
  if (!file)
    throw new DriveFailure(
      0,
      'no_file',
      'Google answered an upload with something other than a file.',
    )
  return file
}

function driveFileUrl(server: DriveServer, id: string): string {
  return `${new URL(server.root).origin}/drive/v3/files/${encodeURIComponent(id)}`
}

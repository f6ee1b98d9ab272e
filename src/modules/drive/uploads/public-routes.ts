// Endpoint for large uploads: PUT /uploads/{token} takes a file as a whole; HEAD, PATCH and DELETE take it in parts,
// following the core of tus 1.0 and its extensions checksum, expiration and termination. The token is the right to
// upload this one file, once; no key is needed.

import { receiveBlob, type Blob } from '../../../files/blobs.ts'
import {
  addPart,
  deletePartial,
  partialSize,
  completeUpload,
} from '../../../files/partial-blobs.ts'
import type { OpenLook, OpenPage, OpenPlace, OpenSent } from '../../../operations/public-pages.ts'
import { invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { setUploadExpiry, sessionOf } from './access.ts'
import { NoRights } from '../../../operations/jobs/job.ts'
import { createUploadedFile, requireOpen } from './arrival.ts'
import { withExclusiveUpload } from './under-way.ts'

export const uploadRoutes: readonly OpenPlace[] = [
  {
    path: '/uploads/:token',
    read: async (look) => (look.method === 'HEAD' ? reportUploadOffset(look) : undefined),
    put: (sent) => receiveUploadRequest(sent, receiveWholeFile),
    patch: (sent) => receiveUploadRequest(sent, receivePart),
    delete: cancelUpload,
  },
]

type Session = Row<'upload_sessions'>

/** Maximum time between two parts of an upload, in milliseconds. */
const maxPauseMs = 24 * 60 * 60_000
/** Maximum duration of an upload. */
const maxSessionMs = 7 * 24 * 60 * 60_000

async function requireSession({ all, params: { token = '' } }: OpenLook): Promise<Session> {
  const session = await sessionOf(all, token)
  if (!session) throw notFound('upload')
  return session
}

async function receiveUploadRequest(
  sent: OpenSent,
  receive: (sent: OpenSent, session: Session) => Promise<OpenPage>,
): Promise<OpenPage> {
  const session = await requireSession(sent)
  if (!/^identity$/i.test(sent.header('content-encoding') ?? 'identity'))
    throw new Refusal('unsupported_media_type', 'Send the file as it is, without Content-Encoding.')
  return withExclusiveUpload(session, () => receive(sent, session))
}

async function receiveWholeFile(sent: OpenSent, session: Session): Promise<OpenPage> {
  requireOpen(session, sent.now)
  const announced = sent.header('content-length')
  if (announced !== undefined && Number(announced) !== session.size_bytes)
    throw invalid(
      'content-length',
      `the session is for ${session.size_bytes} bytes, not ${announced}.`,
    )
  const blob = await receiveBlob(sent.settings.data, sent.pieces(), {
    maxBytes: session.size_bytes,
    size: session.size_bytes,
    sha256: session.sha256 ?? undefined,
  })
  return json(201, await finish(sent, session, blob))
}

/** Reports the number of bytes received. */
async function reportUploadOffset(look: OpenLook): Promise<OpenPage> {
  const session = await requireSession(look)
  if (session.completed_at === null) requireOpen(session, look.now)
  return { ...json(200, {}), headers: uploadHeadersOf(session, receivedBytes(look, session)) }
}

const receivedBytes = ({ settings }: OpenLook, { completed_at, size_bytes, id }: Session) =>
  completed_at === null ? partialSize(settings.data, id) : size_bytes

function uploadHeadersOf({ size_bytes, expires_at }: Session, offset: number) {
  return [
    ['tus-resumable', '1.0.0'],
    ['upload-offset', String(offset)],
    ['upload-length', String(size_bytes)],
    ['upload-expires', new Date(expires_at).toUTCString()],
  ] as const
}

async function receivePart(sent: OpenSent, session: Session): Promise<OpenPage> {
  if (sent.contentType !== 'application/offset+octet-stream')
    throw new Refusal(
      'unsupported_media_type',
      'Send parts with Content-Type: application/offset+octet-stream.',
    )
  const offset = offsetOf(sent, receivedBytes(sent, session))
  const { data } = sent.settings
  if (session.completed_at !== null)
    return { ...json(200, completedAnswer(session)), headers: uploadHeadersOf(session, offset) }
  requireOpen(session, sent.now)
  const remaining = session.size_bytes - offset
  const expires_at = await extendExpiry(sent, session)
  const end =
    remaining === 0
      ? offset
      : await addPart(data, session.id, sent.pieces(), {
          offset,
          maxBytes: remaining,
          sha256: checksumOf(sent),
        })
  const headers = uploadHeadersOf({ ...session, expires_at }, end)
  if (end < session.size_bytes) return { ...json(204, null), html: '', headers }
  const blob = await completeUpload(data, session.id, {
    maxBytes: session.size_bytes,
    sha256: session.sha256 ?? undefined,
  })
  const uploaded = await finish(sent, session, blob)
  deletePartial(data, session.id)
  return { ...json(201, uploaded), headers }
}

/** For a client that missed the answer to the last part. */
const completedAnswer = ({ id, file_id, name, size_bytes }: Session) => {
  return { session_id: id, status: 'completed', file_id, name, size_bytes }
}

function offsetOf(sent: OpenSent, expected: number): number {
  const offset = sent.header('upload-offset') ?? ''
  if (!/^\d{1,16}$/.test(offset)) throw invalid('upload-offset', 'must be a number of bytes.')
  if (Number(offset) !== expected)
    throw new Refusal('conflict', `This upload continues at byte ${expected}, not ${offset}.`, {
      context: { upload_offset: expected },
    })
  return expected
}

/** Checksum of the part, sent as `sha256 <Base64>`. */
function checksumOf(sent: OpenSent): Buffer | undefined {
  const text = sent.header('upload-checksum')
  if (text === undefined) return undefined
  const sha256 = /^sha256 ([A-Za-z0-9+/]{43}=)$/.exec(text)?.[1]
  if (sha256 === undefined) throw invalid('upload-checksum', 'must be sha256 and its Base64.')
  return Buffer.from(sha256, 'base64')
}

/** Extends the expiry, at most once an hour: while parts arrive, an upload does not expire. */
async function extendExpiry({ now, write }: OpenSent, session: Session): Promise<number> {
  const end = Math.min(now + maxPauseMs, session.created_at + maxSessionMs)
  if (end < session.expires_at + 60 * 60_000) return session.expires_at
  await write('upload_file', ({ all }) => setUploadExpiry(all, session.id, end))
  return end
}

async function finish(
  sent: OpenSent,
  session: Session,
  blob: Blob,
): Promise<Record<string, unknown>> {
  try {
    return await sent.write('upload_file', (system) =>
      createUploadedFile(sent, system, session, blob),
    )
  } catch (error) {
    if (error instanceof NoRights)
      throw new Refusal(
        'permission_denied',
        'The person who created this upload session is no longer allowed to upload.',
      )
    throw error
  }
}

async function cancelUpload(sent: OpenSent): Promise<OpenPage> {
  const session = await requireSession(sent)
  requireOpen(session, sent.now)
  return withExclusiveUpload(session, async () => {
    await sent.write('upload_file', ({ all }) => setUploadExpiry(all, session.id, sent.now))
    deletePartial(sent.settings.data, session.id)
    return { ...json(204, null), html: '' }
  })
}

function json(status: number, value: unknown): OpenPage {
  return {
    html: JSON.stringify(value),
    styles: '',
    type: 'application/json',
    status,
    isListed: false,
    cache: 'no-store',
  }
}

import { readSession, sessionKey } from '../../session/session.ts'
import { call, sessionEnded } from '../client.ts'
import { queries } from '../queries.ts'
import { isContinuedBy, sendInParts, UploadGone, type UploadWatch } from './in-parts.ts'
import { forgetUpload, keepUpload, keptUploadOf, type KeptUpload } from './kept.ts'
import { endUpload } from './requests.ts'

/** Files up to this size are sent in the call; larger ones are uploaded separately. */
const maxInlineBytes = 500_000

interface UploadOptions extends UploadWatch {
  /** Destination folder; default: the top of one's own drive. */
  folderId?: string
}

/** Unfinished uploads of this page, by file: they continue without a comparison. */
const activeUploads = new WeakMap<File, KeptUpload>()

/**
 * Uploads a file to a drive; people who can see the related message or task can read it. It resumes by itself after a
 * connection failure, and continues if the same file is later sent to the same folder.
 * @throws ApiError; DOMException AbortError where it was stopped
 */
export async function uploadFile(
  file: File,
  { folderId, ...watch }: UploadOptions = {},
): Promise<{ id: string; title: string }> {
  if (file.size <= maxInlineBytes) {
    const content_base64 = base64Of(new Uint8Array(await file.arrayBuffer()))
    const createdFile = await call(
      'upload_file',
      { name: file.name, content_base64, ...typeAndPlace(file, folderId) },
      watch.signal,
    )
    return { id: createdFile.id, title: createdFile.name }
  }
  const personId = await ownId()
  const earlier = await earlierUpload(personId, file, folderId, watch.signal)
  try {
    const upload = earlier ?? (await announced(file, folderId))
    return { id: await uploadResumable(personId, file, upload, watch), title: file.name }
  } catch (error) {
    if (!(error instanceof UploadGone && earlier !== undefined)) throw error
    const upload = await announced(file, folderId)
    return { id: await uploadResumable(personId, file, upload, watch), title: file.name }
  }
}

/** Cancels an upload started with a file here or in an earlier page; the server deletes the received parts. */
export async function giveUpUpload(
  target: { file: File; folderId?: string } | { stored: KeptUpload },
): Promise<void> {
  const personId = await ownId()
  const upload =
    'stored' in target
      ? target.stored
      : (activeUploads.get(target.file) ?? keptUploadOf(personId, target.file, target.folderId))
  if (!upload) return
  if ('file' in target) activeUploads.delete(target.file)
  forgetUpload(personId, upload)
  await endUpload(upload.path)
}

async function ownId(): Promise<string> {
  const session = await queries.ensureQueryData({ queryKey: sessionKey, queryFn: readSession })
  if (session.signed_in) return session.person.id
  sessionEnded()
  throw new DOMException('signed out', 'AbortError')
}

const typeAndPlace = (file: File, folderId: string | undefined) => ({
  ...(file.type === '' ? {} : { mime_type: file.type }),
  ...(folderId !== undefined && { folder_id: folderId }),
})

async function earlierUpload(
  personId: string,
  file: File,
  folderId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<KeptUpload | undefined> {
  const active = activeUploads.get(file)
  if (active && active.folderId === folderId) return active
  const stored = keptUploadOf(personId, file, folderId)
  if (!stored || (await isContinuedBy(file, stored, signal))) return stored
  forgetUpload(personId, stored)
  return undefined
}

async function announced(file: File, folderId: string | undefined): Promise<KeptUpload> {
  const { upload_url, expires_at } = await call('create_upload_session', {
    name: file.name,
    size_bytes: file.size,
    ...typeAndPlace(file, folderId),
  })
  if (upload_url === undefined) throw new Error('The server gave no address to send the file to.')
  const { name, size, lastModified: changed } = file
  return {
    path: new URL(upload_url).pathname, // the workspace may be known by another name than the one that this page was opened under
    until: Date.parse(expires_at),
    name,
    size,
    changed,
    ...(folderId !== undefined && { folderId }),
    parts: [],
  }
}

async function uploadResumable(
  personId: string,
  file: File,
  upload: KeptUpload,
  watch: UploadWatch,
): Promise<string> {
  activeUploads.set(file, upload)
  const keep = () => {
    if (upload.parts.length > 0) keepUpload(personId, upload)
  }
  try {
    const id = await sendInParts(file, upload, keep, watch)
    forgetUpload(personId, upload)
    activeUploads.delete(file)
    return id
  } catch (error) {
    if (error instanceof UploadGone) {
      forgetUpload(personId, upload)
      activeUploads.delete(file)
    }
    throw error
  }
}

/** Bytes in the format used by operations. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let at = 0; at < bytes.length; at += 0x8000)
    text += String.fromCharCode(...bytes.subarray(at, at + 0x8000))
  return btoa(text)
}

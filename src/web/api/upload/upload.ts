import { readSession, sessionKey } from '../../session/session.ts'
import { call, handleSessionEnd } from '../client.ts'
import { queries } from '../queries.ts'
import { isFileOfUpload, sendInParts, UploadGoneError, type TransferOptions } from './in-parts.ts'
import { deleteStoredUpload, storeUpload, findStoredUpload, type StoredUpload } from './kept.ts'
import { deleteUpload } from './requests.ts'

/** Files up to this size are sent in the call; larger ones are uploaded separately. */
const maxInlineBytes = 500_000

interface UploadOptions extends TransferOptions {
  /** Destination folder; default: the root of the person's own drive. */
  folderId?: string
}

/** Unfinished uploads of this page, by file: they continue without a comparison. */
const activeUploads = new WeakMap<File, StoredUpload>()

/**
 * Uploads a file to a drive; people who can see the related message or task can read it. It resumes by itself after a
 * connection failure, and continues if the same file is later sent to the same folder.
 * @throws ApiError; DOMException AbortError if it was cancelled
 */
export async function uploadFile(
  file: File,
  { folderId, ...transferOptions }: UploadOptions = {},
): Promise<{ id: string; title: string }> {
  if (file.size <= maxInlineBytes) {
    const content_base64 = base64Of(new Uint8Array(await file.arrayBuffer()))
    const createdFile = await call(
      'upload_file',
      { name: file.name, content_base64, ...typeAndFolder(file, folderId) },
      transferOptions.signal,
    )
    return { id: createdFile.id, title: createdFile.name }
  }
  const personId = await currentPersonId()
  const previousUpload = await findPreviousUpload(personId, file, folderId, transferOptions.signal)
  try {
    const upload = previousUpload ?? (await createUploadSession(file, folderId))
    return { id: await uploadResumable(personId, file, upload, transferOptions), title: file.name }
  } catch (error) {
    if (!(error instanceof UploadGoneError && previousUpload !== undefined)) throw error
    const upload = await createUploadSession(file, folderId)
    return { id: await uploadResumable(personId, file, upload, transferOptions), title: file.name }
  }
}

/** Cancels an upload started with a file here or in an earlier page; the server deletes the received parts. */
export async function cancelUpload(
  target: { file: File; folderId?: string } | { stored: StoredUpload },
): Promise<void> {
  const personId = await currentPersonId()
  const upload =
    'stored' in target
      ? target.stored
      : (activeUploads.get(target.file) ?? findStoredUpload(personId, target.file, target.folderId))
  if (!upload) return
  if ('file' in target) activeUploads.delete(target.file)
  deleteStoredUpload(personId, upload)
  await deleteUpload(upload.path)
}

async function currentPersonId(): Promise<string> {
  const session = await queries.ensureQueryData({ queryKey: sessionKey, queryFn: readSession })
  if (session.signed_in) return session.person.id
  handleSessionEnd()
  throw new DOMException('signed out', 'AbortError')
}

const typeAndFolder = (file: File, folderId: string | undefined) => ({
  ...(file.type === '' ? {} : { mime_type: file.type }),
  ...(folderId !== undefined && { folder_id: folderId }),
})

async function findPreviousUpload(
  personId: string,
  file: File,
  folderId: string | undefined,
  signal: AbortSignal | undefined,
): Promise<StoredUpload | undefined> {
  const active = activeUploads.get(file)
  if (active && active.folderId === folderId) return active
  const stored = findStoredUpload(personId, file, folderId)
  if (!stored || (await isFileOfUpload(file, stored, signal))) return stored
  deleteStoredUpload(personId, stored)
  return undefined
}

async function createUploadSession(
  file: File,
  folderId: string | undefined,
): Promise<StoredUpload> {
  const { upload_url, expires_at } = await call('create_upload_session', {
    name: file.name,
    size_bytes: file.size,
    ...typeAndFolder(file, folderId),
  })
  if (upload_url === undefined) throw new Error('The server gave no address to send the file to.')
  const { name, size, lastModified: changed } = file
  return {
    path: new URL(upload_url).pathname, // without the host: this page may be open under another name
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
  upload: StoredUpload,
  transferOptions: TransferOptions,
): Promise<string> {
  activeUploads.set(file, upload)
  const save = () => {
    if (upload.parts.length > 0) storeUpload(personId, upload)
  }
  try {
    const id = await sendInParts(file, upload, save, transferOptions)
    deleteStoredUpload(personId, upload)
    activeUploads.delete(file)
    return id
  } catch (error) {
    if (error instanceof UploadGoneError) {
      deleteStoredUpload(personId, upload)
      activeUploads.delete(file)
    }
    throw error
  }
}

/** Bytes in the format used by operations. */
export function base64Of(bytes: Uint8Array): string {
  let text = ''
  for (let offset = 0; offset < bytes.length; offset += 0x8000)
    text += String.fromCharCode(...bytes.subarray(offset, offset + 0x8000))
  return btoa(text)
}

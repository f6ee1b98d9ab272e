// Incomplete uploads, stored in this browser so that they can continue after a reload when the same file is chosen
// again.

/** An upload in progress. */
export interface StoredUpload {
  /** Path to which its parts are sent. */
  path: string
  /** Until when it can be continued, in milliseconds. */
  until: number
  name: string
  size: number
  /** Modification time of the file, in milliseconds. */
  changed: number
  folderId?: string
  /** Uploaded parts in order, with the SHA-256 of each: it identifies the same file. */
  parts: { size: number; sha256: string }[]
}

const storagePrefix = 'workspace.upload '

function uploadKeyOf(
  personId: string,
  { folderId, name, size, changed }: Omit<StoredUpload, 'parts'>,
) {
  return `${storagePrefix}${personId} ${JSON.stringify([folderId ?? '', name, size, changed])}`
}

/** Stores the state of an upload. Without storage space, the upload continues anyway. */
export function storeUpload(personId: string, upload: StoredUpload): void {
  const key = uploadKeyOf(personId, upload)
  try {
    localStorage.setItem(key, JSON.stringify(upload))
  } catch {
    localStorage.removeItem(key) // full: it cannot be continued after a reload
  }
}

export function deleteStoredUpload(personId: string, upload: StoredUpload): void {
  localStorage.removeItem(uploadKeyOf(personId, upload))
}

/** A person's uploads that can still be continued; deletes others. */
export function storedUploads(personId: string): StoredUpload[] {
  const keyPrefix = `${storagePrefix}${personId} `
  return Object.keys(localStorage).flatMap((key) => {
    if (!key.startsWith(keyPrefix)) return []
    const upload = JSON.parse(localStorage.getItem(key) ?? '') as StoredUpload
    if (upload.until > Date.now()) return [upload]
    localStorage.removeItem(key)
    return []
  })
}

/** The upload started with a file of this name, size and time. */
export function findStoredUpload(
  personId: string,
  file: File,
  folderId: string | undefined,
): StoredUpload | undefined {
  return storedUploads(personId).find(
    (upload) =>
      upload.folderId === folderId &&
      upload.name === file.name &&
      upload.size === file.size &&
      upload.changed === file.lastModified,
  )
}

/** Fraction uploaded, from 0 to 1. */
export const sentFraction = ({ parts, size }: StoredUpload) =>
  parts.reduce((sum, part) => sum + part.size, 0) / size

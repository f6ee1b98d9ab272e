import type { drive_v3 } from '@googleapis/drive'

interface RemoteRights {
  rename: boolean
  write: boolean
  trash: boolean
  add: boolean
  download: boolean
}

/** A file or folder on Google Drive. */
export interface RemoteFile {
  id: string
  name: string
  mime: string
  description: string | null
  /** Parent folder; null if this person cannot see it. */
  parent: string | null
  driveId: string | null
  trashed: boolean
  /** Trashed directly, not as part of a folder. */
  isTrashedItself: boolean
  /** Bytes; 0 for Google's own documents. */
  size: number
  /** Hash of the content; null for Google's own documents. */
  sha256: string | null
  /** Identifies the content version; null for Google's own documents. */
  head: string | null
  created: number
  modified: number
  /** Address of the last editor. */
  modifiedBy: string | null
  isOwn: boolean
  can: RemoteRights
  target: { id: string; mime: string } | null
  link: string | null
}

export const fileFields =
  'id,name,mimeType,description,parents,driveId,trashed,explicitlyTrashed,size,sha256Checksum,headRevisionId,createdTime,modifiedTime,ownedByMe,webViewLink,lastModifyingUser(emailAddress),shortcutDetails(targetId,targetMimeType),capabilities(canRename,canModifyContent,canTrash,canAddChildren,canDownload)'

export const googleFolder = 'application/vnd.google-apps.folder'

/** Parses Google's file metadata; undefined if required fields are missing. */
export function parseRemoteFile(
  file: drive_v3.Schema$File | null | undefined,
): RemoteFile | undefined {
  if (!file || typeof file.id !== 'string' || file.id === '' || typeof file.mimeType !== 'string')
    return undefined
  const { targetId, targetMimeType } = file.shortcutDetails ?? {}
  return {
    id: file.id,
    name: file.name ?? 'Untitled',
    mime: file.mimeType,
    description: file.description || null,
    parent: file.parents?.[0] ?? null,
    driveId: file.driveId ?? null,
    trashed: file.trashed === true,
    isTrashedItself: file.explicitlyTrashed === true,
    size: Number(file.size ?? 0) || 0,
    sha256: file.sha256Checksum ?? null,
    head: file.headRevisionId ?? null,
    created: parseRemoteTime(file.createdTime),
    modified: parseRemoteTime(file.modifiedTime),
    modifiedBy: file.lastModifyingUser?.emailAddress?.toLowerCase() ?? null,
    isOwn: file.ownedByMe === true,
    can: rightsOf(file.capabilities ?? {}),
    target: targetId && targetMimeType ? { id: targetId, mime: targetMimeType } : null,
    link: file.webViewLink ?? null,
  }
}

function rightsOf({
  canRename,
  canModifyContent,
  canTrash,
  canAddChildren,
  canDownload,
}: drive_v3.Schema$File['capabilities'] & {}): RemoteRights {
  return {
    rename: canRename === true,
    write: canModifyContent === true,
    trash: canTrash === true,
    add: canAddChildren === true,
    download: canDownload === true,
  }
}

export function parseRemoteTime(text: string | null | undefined): number {
  const at = Date.parse(text ?? '')
  return Number.isNaN(at) ? 0 : at
}

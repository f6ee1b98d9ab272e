import type { drive_v3 } from '@googleapis/drive'

interface RemoteRights {
  rename: boolean
  write: boolean
  trash: boolean
  add: boolean
  download: boolean
}

/** A file or folder as Google has it. */
export interface RemoteFile {
  id: string
  name: string
  mime: string
  description: string | null
  /** The folder that it is in; null where that is no one's to see. */
  parent: string | null
  driveId: string | null
  trashed: boolean
  /** Trashed by itself, and not with a folder. */
  isTrashedItself: boolean
  /** Bytes; 0 for Google's own documents, which have none. */
  size: number
  /** Hash of the content; null for Google's own documents. */
  sha256: string | null
  /** Tells one content from another; null for Google's own documents. */
  head: string | null
  created: number
  modified: number
  /** Address of who changed it last. */
  modifiedBy: string | null
  isOwn: boolean
  can: RemoteRights
  target: { id: string; mime: string } | null
  link: string | null
}

export const fileFields =
  'id,name,mimeType,description,parents,driveId,trashed,explicitlyTrashed,size,sha256Checksum,headRevisionId,createdTime,modifiedTime,ownedByMe,webViewLink,lastModifyingUser(emailAddress),shortcutDetails(targetId,targetMimeType),capabilities(canRename,canModifyContent,canTrash,canAddChildren,canDownload)'

export const googleFolder = 'application/vnd.google-apps.folder'

/** Reads what Google says of a file; undefined where it says too little to be one. */
export function readFile(file: drive_v3.Schema$File | null | undefined): RemoteFile | undefined {
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

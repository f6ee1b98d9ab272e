// State of Google drive files, and the actions that are allowed on them here. Rows of such files have a remote_id.

import { randomUUID } from 'node:crypto'
import { sanitizeFileName } from '../../../kernel/text/file-names.ts'
import { denied, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

/** Google's state of a file at the last sync: any difference from it is a later change. */
export interface RemoteState {
  name: string
  description: string | null
  /** Google's id of its folder; null: in no folder visible here. */
  parent: string | null
  trashed: boolean
  mime: string
  /** Identifies the content: Google's revision id; for Google documents the time of the last change. */
  head: string | null
  sha256: string | null
  /** Number of the local version with this content. */
  version: number
  can: { rename: boolean; write: boolean; trash: boolean; add: boolean; download: boolean }
  target: { id: string; mime: string } | null
  link: string | null
  /** Number of the last listing that contained it; a file missing from a complete listing is gone. */
  round: number
}

type FileRow = Row<'files'>

/** In place of Google's id: the folder for files shared with the drive's owner that are in none of their folders. */
export const sharedWithMe = 'shared-with-me'

/** In place of Google's id, until there is one. */
export const placeholderId = () => `new:${randomUUID()}`
export const isPlaceholderId = (remoteId: string) => remoteId.startsWith('new:')

export function isRemote(row: Pick<FileRow, 'remote_id'>): boolean {
  return row.remote_id !== null
}

export function parseRemoteState(row: Pick<FileRow, 'remote_json'>): RemoteState | undefined {
  return row.remote_json === null ? undefined : (JSON.parse(row.remote_json) as RemoteState)
}

/** Whether local changes have not been uploaded to Google yet. */
export function isPending(row: Pick<FileRow, 'synced_revision' | 'revision'>): boolean {
  return row.synced_revision !== row.revision
}

/** Whether a media type is that of a Google document: it has no bytes, and is edited only in Google's editors. */
export function isGoogleDocument(mime: string): boolean {
  return mime.startsWith('application/vnd.google-apps.') && !/\.(folder|shortcut)$/.test(mime)
}

/** A name from Google, without slashes and control characters. */
export function displayNameOf(name: string): string {
  return sanitizeFileName(name.normalize('NFC')) || 'Untitled'
}

const refusals: Record<keyof RemoteState['can'], string> = {
  rename: 'cannot be renamed, described or moved',
  write: 'cannot be changed',
  trash: 'cannot be trashed',
  add: 'does not accept files from you',
  download: 'cannot be downloaded or copied',
}

/** Checks a permission granted by Google; files of the built-in drive pass. @throws Refusal permission_denied */
export function requireRight(row: FileRow, right: keyof RemoteState['can']): void {
  if (!isRemote(row)) return
  const can = parseRemoteState(row)?.can
  if (can && !can[right])
    throw denied(
      `“${row.name}” ${refusals[right]}: Google Drive does not grant you that permission.`,
      'Ask its owner in Google Drive.',
    )
}

/** @throws Refusal if the content of a file cannot be written from here */
export function requireWritable(row: FileRow): void {
  requireRight(row, 'write')
  if (!isRemote(row) || !isGoogleDocument(row.mime_type)) return
  throw new Refusal(
    'conflict',
    `“${row.name}” is a Google document, which can be edited only in Google's editors.`,
    { hint: 'Upload a separate file instead.', context: linkOf(row) },
  )
}

/** @throws Refusal not_connected for a Google file, which can be shared only in Google Drive */
export function refuseRemote(row: FileRow): void {
  if (!isRemote(row)) return
  throw new Refusal(
    'not_connected',
    `“${row.name}” is in a connected Google drive; it can be shared only in Google Drive, with people who have Google accounts.`,
    {
      hint: 'Share it there, or copy it into the built-in drive and share the copy.',
      context: linkOf(row),
    },
  )
}

function linkOf(row: FileRow): Record<string, unknown> {
  const link = parseRemoteState(row)?.link
  return link == null ? {} : { google_url: link }
}

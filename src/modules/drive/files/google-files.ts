// State of Google drive files, and the actions that are allowed on them here. Rows of such files have a remote_id.

import { randomUUID } from 'node:crypto'
import { sanitizeFileName } from '../../../kernel/text/file-names.ts'
import { denied, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'

/** Google's state of a file at the last sync: any difference from it is a later change. */
export interface RemoteState {
  name: string
  description: string | null
  /** Google's id of its folder; null: no one's that is seen here. */
  parent: string | null
  trashed: boolean
  mime: string
  /** Tells contents apart: Google's id of the revision, or when it was changed, of its own documents. */
  head: string | null
  sha256: string | null
  /** The version here that this content is. */
  version: number
  can: { rename: boolean; write: boolean; trash: boolean; add: boolean; download: boolean }
  target: { id: string; mime: string } | null
  link: string | null
  /** The listing in which it was met last: what a whole listing does not show is gone. */
  round: number
}

type FileRow = Row<'files'>

/** In place of Google's id: the folder of what others share with the owner of a drive, which is in none of theirs. */
export const sharedWithMe = 'shared-with-me'

/** In place of Google's id, until there is one. */
export const unnamed = () => `new:${randomUUID()}`
export const isUnnamed = (remoteId: string) => remoteId.startsWith('new:')

export function isRemote(row: Pick<FileRow, 'remote_id'>): boolean {
  return row.remote_id !== null
}

export function parseRemoteState(row: Pick<FileRow, 'remote_json'>): RemoteState | undefined {
  return row.remote_json === null ? undefined : (JSON.parse(row.remote_json) as RemoteState)
}

/** Whether something changed here that Google does not know yet. */
export function isPending(row: Pick<FileRow, 'synced_revision' | 'revision'>): boolean {
  return row.synced_revision !== row.revision
}

/** One of Google's own documents: it has no bytes, and is written in Google's own pages only. */
export function isGoogleDocument(mime: string): boolean {
  return mime.startsWith('application/vnd.google-apps.') && !/\.(folder|shortcut)$/.test(mime)
}

/** A name of Google's as it is shown here: without slashes and control characters. */
export function shownName(name: string): string {
  return sanitizeFileName(name.normalize('NFC')) || 'Untitled'
}

const refusals: Record<keyof RemoteState['can'], string> = {
  rename: 'cannot be renamed, described or moved',
  write: 'cannot be changed',
  trash: 'cannot be trashed',
  add: 'does not accept files from you',
  download: 'cannot be downloaded or copied',
}

/** Holds what Google lets the owner of an account do; nothing for files of the built-in drive. @throws Refusal permission_denied */
export function requireRight(row: FileRow, right: keyof RemoteState['can']): void {
  if (!isRemote(row)) return
  const can = parseRemoteState(row)?.can
  if (can && !can[right])
    throw denied(
      `“${row.name}” ${refusals[right]}: Google Drive does not grant you that permission.`,
      'Ask its owner in Google Drive.',
    )
}

/** @throws Refusal where the content of a file is not to be written from here */
export function requireWritable(row: FileRow): void {
  requireRight(row, 'write')
  if (!isRemote(row) || !isGoogleDocument(row.mime_type)) return
  throw new Refusal(
    'conflict',
    `“${row.name}” is a Google document, which can be edited only in Google's editors.`,
    { hint: 'Upload a separate file instead.', context: linkOf(row) },
  )
}

/** @throws Refusal not_connected: with whom a file of Google's is shared is said there */
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

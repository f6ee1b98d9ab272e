// Google Drive through Google's own library, with the network access it is given. Contents go through
// drive-contents.ts, which works in pieces.

import type { drive_v3 } from '@googleapis/drive'
import { fileFields, parseRemoteTime, parseRemoteFile, type RemoteFile } from './drive-files.ts'
import { DriveFailure, driveFetch, type DriveServer } from './drive-requests.ts'

export { googleFolder, type RemoteFile } from './drive-files.ts'
export { DriveFailure, DriveSignInRefused, type DriveServer } from './drive-requests.ts'

/** My Drive of the signed-in person, or a shared drive. */
export interface RemoteDrive {
  /** Id of a shared drive. */
  id: string | undefined
  name: string
  /** Root folder. */
  root: string
}

const inAllDrives = { supportsAllDrives: true } as const
const maxDrives = 1000

/** Used bytes and the limit; undefined if not reported. */
export async function quotaOf(
  server: DriveServer,
): Promise<{ used: number; limitBytes: number | undefined }> {
  const { storageQuota } = await callDrive(server, (api) =>
    api.about.get({ fields: 'storageQuota(limit,usage)' }),
  )
  return {
    used: Number(storageQuota?.usage ?? 0),
    limitBytes: storageQuota?.limit == null ? undefined : Number(storageQuota.limit),
  }
}

export async function drivesOf(server: DriveServer): Promise<RemoteDrive[]> {
  const top = await callDrive(server, (api) => api.files.get({ fileId: 'root', fields: 'id,name' }))
  const drives: RemoteDrive[] = [{ id: undefined, name: top.name ?? 'My Drive', root: top.id! }]
  let pageToken: string | undefined
  do {
    const page = await callDrive(server, (api) =>
      api.drives.list({
        pageSize: 100,
        ...(pageToken === undefined ? {} : { pageToken }),
        fields: 'nextPageToken,drives(id,name)',
      }),
    )
    for (const drive of page.drives ?? [])
      if (drive.id)
        drives.push({ id: drive.id, name: drive.name ?? 'Shared drive', root: drive.id })
    pageToken = nextPageTokenOf(page, pageToken)
  } while (pageToken !== undefined && drives.length < maxDrives)
  return drives
}

/** Token of the next page. @throws DriveFailure if it is the same as this one */
function nextPageTokenOf(
  page: { nextPageToken?: string | null },
  pageToken: string | undefined,
): string | undefined {
  const next = page.nextPageToken ?? undefined
  if (next !== undefined && next === pageToken)
    throw new DriveFailure(
      0,
      'no_end',
      'Google returned a page that names itself as the next page.',
    )
  return next
}

/** Token for requesting changes from now on. */
export async function changesStartToken(
  server: DriveServer,
  driveId: string | undefined,
): Promise<string> {
  const { startPageToken } = await callDrive(server, (api) =>
    api.changes.getStartPageToken({
      ...inAllDrives,
      ...(driveId === undefined ? {} : { driveId }),
      fields: 'startPageToken',
    }),
  )
  if (!startPageToken)
    throw new DriveFailure(0, 'no_token', 'Google did not return a start token for changes.')
  return startPageToken
}

/** A page of all files in a drive, without its trash. */
export async function filesOf(
  server: DriveServer,
  driveId: string | undefined,
  pageToken: string | undefined,
): Promise<{ files: RemoteFile[]; next: string | undefined }> {
  const where =
    driveId === undefined
      ? { corpora: 'user' }
      : { corpora: 'drive', driveId, includeItemsFromAllDrives: true }
  const page = await callDrive(server, (api) =>
    api.files.list({
      ...inAllDrives,
      ...where,
      q: 'trashed = false',
      pageSize: 1000,
      ...(pageToken === undefined ? {} : { pageToken }),
      fields: `nextPageToken,files(${fileFields})`,
    }),
  )
  return {
    files: (page.files ?? []).flatMap((file) => parseRemoteFile(file) ?? []),
    next: nextPageTokenOf(page, pageToken),
  }
}

export interface RemoteChange {
  id: string
  /** undefined: deleted, or no longer accessible to this person. */
  file: RemoteFile | undefined
}

/** A page of changes; `next` if there are more, else `token` for the next time. */
export async function listDriveChanges(
  server: DriveServer,
  driveId: string | undefined,
  pageToken: string,
): Promise<{ changes: RemoteChange[]; next: string | undefined; token: string | undefined }> {
  const where = driveId === undefined ? {} : { driveId, includeItemsFromAllDrives: true }
  const page = await callDrive(server, (api) =>
    api.changes.list({
      ...inAllDrives,
      ...where,
      pageToken,
      pageSize: 500,
      includeRemoved: true,
      fields: `nextPageToken,newStartPageToken,changes(changeType,removed,fileId,file(${fileFields}))`,
    }),
  )
  const changes = (page.changes ?? []).flatMap((change) =>
    change.fileId && change.changeType !== 'drive'
      ? [{ id: change.fileId, file: change.removed ? undefined : parseRemoteFile(change.file) }]
      : [],
  )
  return {
    changes,
    next: nextPageTokenOf(page, pageToken),
    token: page.newStartPageToken ?? undefined,
  }
}

export async function fileAt(server: DriveServer, id: string): Promise<RemoteFile> {
  return requireFile(
    await callDrive(server, (api) =>
      api.files.get({ ...inAllDrives, fileId: id, fields: fileFields }),
    ),
  )
}

/** Requests an id for a new file: retrying with the same id creates it once. */
export async function requestFileId(server: DriveServer): Promise<string> {
  const { ids } = await callDrive(server, (api) =>
    api.files.generateIds({ count: 1, fields: 'ids' }),
  )
  if (!ids?.[0]) throw new DriveFailure(0, 'no_id', 'Google returned no id for a new file.')
  return ids[0]
}

export interface RemoteChanges {
  name?: string
  description?: string
  trashed?: boolean
}

/** Creates a folder; returns the existing one with that id if there is one. */
export async function makeFolder(
  server: DriveServer,
  folder: { id: string; name: string; parent: string; mime: string; description: string | null },
): Promise<RemoteFile> {
  const { id, name, parent, mime, description } = folder
  try {
    return requireFile(
      await callDrive(server, (api) =>
        api.files.create({
          ...inAllDrives,
          requestBody: {
            id,
            name,
            mimeType: mime,
            parents: [parent],
            ...(description === null ? {} : { description }),
          },
          fields: fileFields,
        }),
      ),
    )
  } catch (error) {
    if (error instanceof DriveFailure && error.status === 409) return fileAt(server, id)
    throw error
  }
}

export async function changeFile(
  server: DriveServer,
  id: string,
  changes: RemoteChanges,
  move?: { from: string | null; to: string },
): Promise<RemoteFile> {
  const parentChange =
    move === undefined
      ? {}
      : { addParents: move.to, ...(move.from === null ? {} : { removeParents: move.from }) }
  return requireFile(
    await callDrive(server, (api) =>
      api.files.update({
        ...inAllDrives,
        fileId: id,
        ...parentChange,
        requestBody: changes,
        fields: fileFields,
      }),
    ),
  )
}

export interface RemoteRevision {
  id: string
  size: number
  mime: string
  at: number
  by: string | null
}

/** Revisions of a file, oldest first, as far as Google keeps them. */
export async function revisionsOf(server: DriveServer, id: string): Promise<RemoteRevision[]> {
  const revisions: RemoteRevision[] = []
  let pageToken: string | undefined
  do {
    const page = await callDrive(server, (api) =>
      api.revisions.list({
        fileId: id,
        pageSize: 200,
        ...(pageToken === undefined ? {} : { pageToken }),
        fields:
          'nextPageToken,revisions(id,size,mimeType,modifiedTime,lastModifyingUser(emailAddress))',
      }),
    )
    for (const revision of page.revisions ?? [])
      if (revision.id)
        revisions.push({
          id: revision.id,
          size: Number(revision.size ?? 0) || 0,
          mime: revision.mimeType ?? 'application/octet-stream',
          at: parseRemoteTime(revision.modifiedTime),
          by: revision.lastModifyingUser?.emailAddress?.toLowerCase() ?? null,
        })
    pageToken = nextPageTokenOf(page, pageToken)
  } while (pageToken !== undefined && revisions.length < 2000)
  return revisions
}

/** Makes Google keep a revision permanently, which it would otherwise delete after some weeks. */
export async function keepRevision(
  server: DriveServer,
  fileId: string,
  revisionId: string,
): Promise<void> {
  await callDrive(server, (api) =>
    api.revisions.update({ fileId, revisionId, requestBody: { keepForever: true } }),
  )
}

function requireFile(driveFile: drive_v3.Schema$File): RemoteFile {
  const file = parseRemoteFile(driveFile)
  if (!file)
    throw new DriveFailure(0, 'no_file', 'Google answered with something other than a file.')
  return file
}

/** Calls the library. Network errors are rethrown unchanged, never with the request, which contains the token. */
async function callDrive<T>(
  server: DriveServer,
  work: (api: drive_v3.Drive) => Promise<{ data: T }>,
): Promise<T> {
  const { drive } = await import('./libraries.ts')
  try {
    return (
      await work(
        drive({
          version: 'v3',
          rootUrl: `${new URL(server.root).origin}/`,
          retry: false,
          fetchImplementation: driveFetch(server),
        }),
      )
    ).data
  } catch (error) {
    const thrown = (error as { cause?: unknown }).cause
    throw thrown instanceof Error && !(error instanceof DriveFailure) ? thrown : error
  }
}

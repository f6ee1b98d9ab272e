import { chunks } from '../../../kernel/chunks.ts'
import {
  DriveFailure,
  DriveSignInRefused,
  fileAt,
  revisionsOf,
  type DriveServer,
  type RemoteRevision,
} from '../../../connectors/google/drive.ts'
import { GiveUp, type Outside } from '../../../operations/jobs/job.ts'
import { newId } from '../../../kernel/ids.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { Unreachable } from '../../../outbound/guard.ts'
import { accountsToSync } from '../../accounts/access.ts'
import { isPlainText } from '../files/file-types.ts'
import { isGoogleDocument, isPending, isRemote, parseRemoteState } from '../files/google-files.ts'
import {
  fetchFile,
  fetchRevision,
  describeDriveError,
  readText,
  type FetchedContent,
} from './contents.ts'
import { personIdsByEmail } from './jobs.ts'
import { driveServer } from './google.ts'
import { parentsOf, storeRemoteFile } from './intake.ts'
import { storeExtractedText } from './texts.ts'

type FileRow = Row<'files'>
type Version = Row<'file_versions'>

/** Milliseconds that a request waits for Google. */
const downloadTimeoutMs = 60_000

/** Content of a Google drive, fetched on request. It stays on the disk for at least an hour. */
export type PrefetchedContent = FetchedContent

/** Fetches the bytes of a file or of a version of it; undefined if they are stored here. @throws Refusal */
export function prefetchContent(
  outside: Outside,
  row: FileRow,
  version?: Version,
): Promise<PrefetchedContent | undefined> {
  if (!isRemote(row) || row.type === 'folder' || (version ? version.sha256 : row.sha256) !== '')
    return Promise.resolve(undefined)
  return withGoogle(outside, row, async (server, bounded) => {
    if (!version || version.number === row.version || version.remote_id === null)
      return fetchFile(server, bounded.settings, row)
    return {
      blob: await fetchRevision(server, bounded.settings, row, version),
      mime: version.mime_type,
      name: row.name,
    }
  })
}

/** Fetches what get_file_content needs: the text if there may be any, otherwise the bytes. @throws Refusal */
export async function prefetchForReading(
  outside: Outside,
  row: FileRow,
  version: Version | undefined,
  format: string | undefined,
): Promise<PrefetchedContent | undefined> {
  if (!isRemote(row)) return undefined
  const isCurrent = !version || version.number === row.version
  if (format === 'base64' || format === 'link' || !isCurrent)
    return prefetchContent(outside, row, version)
  if (await fetchText(outside, row)) return undefined
  return format === undefined || isPlainText(row.mime_type)
    ? prefetchContent(outside, row, version)
    : undefined
}

/** Reads and stores the text of a file unless that was done before. @returns whether it has text @throws Refusal */
async function fetchText(outside: Outside, row: FileRow): Promise<boolean> {
  if (row.type === 'folder' || row.sha256 !== '') return true
  if (row.text_status === 'none') return false
  const stored = await outside.write(({ all }) =>
    all
      .selectFrom('file_texts')
      .select('file_id')
      .where('file_id', '=', row.id)
      .where('version', '=', row.version)
      .executeTakeFirst(),
  )
  if (stored) return true
  return withGoogle(outside, row, async (server, bounded) => {
    const text = await readText(server, row)
    await bounded.write((system) => storeExtractedText(system, row, text))
    return text.kind === 'native' && text.text.trim() !== ''
  })
}

/** Updates a file to Google's current state; if Google does not answer, the stored state is used. */
export async function refresh(outside: Outside, row: FileRow): Promise<void> {
  if (!isRemote(row) || isPending(row) || row.is_root === 1) return
  try {
    await withGoogle(outside, row, async (server, bounded, drive, owner) => {
      const file = await fileAt(server, row.remote_id!)
      const people = await personIdsByEmail(bounded, owner)
      const { round = 1 } = parseRemoteState(row) ?? {}
      await bounded.write(async (system) =>
        system.as(
          owner.owner_id,
          async (ctx) =>
            storeRemoteFile(
              system,
              ctx,
              { drive, people, round },
              file,
              await parentsOf(system, drive, [file]),
            ),
          { via: 'sync' },
        ),
      )
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    outside.log.info('a file of a Google drive could not be looked at', {
      file: row.id,
      why: error.message,
    })
  }
}

/** Updates the versions of a file to those that Google keeps. */
export async function refreshVersions(outside: Outside, row: FileRow): Promise<void> {
  if (!isRemote(row) || row.type === 'folder' || isPending(row) || isGoogleDocument(row.mime_type))
    return
  await refresh(outside, row)
  try {
    await withGoogle(outside, row, async (server, bounded, _, owner) => {
      const revisions = await revisionsOf(server, row.remote_id!)
      await storeVersions(bounded, row.id, revisions, await personIdsByEmail(bounded, owner))
    })
  } catch (error) {
    if (!(error instanceof Refusal)) throw error
    outside.log.info('versions of a file of a Google drive could not be learned', {
      file: row.id,
      why: error.message,
    })
  }
}

/** Replaces the versions of a file by Google's revisions, oldest first; known ones keep their ids. */
async function storeVersions(
  outside: Outside,
  id: FileRow['id'],
  revisions: readonly RemoteRevision[],
  people: ReadonlyMap<string, Row<'users'>['id']>,
): Promise<void> {
  await outside.write(async ({ all }) => {
    const row = await all.selectFrom('files').selectAll().where('id', '=', id).executeTakeFirst()
    const state = row && parseRemoteState(row)
    if (!row || !state || isPending(row) || revisions.at(-1)?.id !== state.head) return
    const storedVersions = new Map(
      (await all.selectFrom('file_versions').selectAll().where('file_id', '=', id).execute()).map(
        (item) => [item.remote_id, item],
      ),
    )
    await all.deleteFrom('file_versions').where('file_id', '=', id).execute()
    const rows = revisions.map(
      (revision, i): Version => ({
        ...(storedVersions.get(revision.id) ?? versionOf(row, revision, people)),
        number: i + 1,
        size_bytes: revision.size,
      }),
    )
    for (const batch of chunks(rows, 200))
      await all.insertInto('file_versions').values(batch).execute()
    const version = rows.length
    await all
      .updateTable('file_texts')
      .set({ version })
      .where('file_id', '=', id)
      .where('version', '=', row.version)
      .execute()
    await all
      .updateTable('files')
      .set({ version, remote_json: JSON.stringify({ ...state, version }) })
      .where('id', '=', id)
      .execute()
  })
}

function versionOf(
  row: FileRow,
  { id, size, mime, at, by }: RemoteRevision,
  people: ReadonlyMap<string, Row<'users'>['id']>,
): Version {
  return {
    id: newId('fvr', at) as Version['id'],
    org_id: row.org_id,
    file_id: row.id,
    number: 0,
    mime_type: mime,
    size_bytes: size,
    sha256: '',
    trust: 'external',
    comment: null,
    remote_id: id,
    created_at: at,
    created_by: people.get(by ?? '') ?? row.owner_id,
    created_via: 'sync',
  }
}

/** Calls Google with the account of the drive that a file is in. @throws Refusal */
async function withGoogle<T>(
  outside: Outside,
  row: FileRow,
  work: (
    server: DriveServer,
    bounded: Outside,
    drive: Row<'drives'>,
    account: Row<'accounts'>,
  ) => Promise<T>,
): Promise<T> {
  const bounded = {
    ...outside,
    signal: AbortSignal.any([outside.signal, AbortSignal.timeout(downloadTimeoutMs)]),
  }
  const { drive, account } = await outside.write(async (system) => {
    const drive = await system.all
      .selectFrom('drives')
      .selectAll()
      .where('id', '=', row.drive_id!)
      .executeTakeFirst()
    return {
      drive,
      account: (await accountsToSync(system, 'drive')).find(
        (item) => item.id === drive?.account_id,
      ),
    }
  })
  if (!drive || !account)
    throw new Refusal(
      'not_connected',
      'The Google account of this file is turned off, or its owner needs to sign in.',
      'Sign in to it in the settings.',
    )
  try {
    return await work(driveServer(bounded, account), bounded, drive, account)
  } catch (error) {
    if (error instanceof DriveFailure) throw describeDriveError(error, row)
    if (error instanceof DriveSignInRefused || error instanceof GiveUp)
      throw new Refusal(
        'not_connected',
        'Google requires the owner of this account to sign in again.',
        'Sign in to it in the settings.',
      )
    if (error instanceof Unreachable)
      throw new Refusal('unavailable', 'Google Drive cannot be reached.', {
        retry_after_seconds: 30,
      })
    throw error
  }
}

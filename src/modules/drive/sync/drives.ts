import { drivesOf, quotaOf, type RemoteDrive } from '../../../connectors/google/drive.ts'
import { newId } from '../../../kernel/ids.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { folderType } from '../files/file-types.ts'
import { sharedWithMe, displayNameOf, type RemoteState } from '../files/google-files.ts'
import { saveUnsentFilesOf } from './conflict-copies.ts'
import type { SyncRun } from './sync-run.ts'

export type DriveRow = Row<'drives'>

const addOnly: RemoteState['can'] = {
  rename: false,
  write: false,
  trash: false,
  add: true,
  download: false,
}
const noPermissions: RemoteState['can'] = { ...addOnly, add: false }

/** Updates the drives of an account: its own and those shared with it; a drive that it lost is erased here. */
export async function updateDrives(run: SyncRun): Promise<DriveRow[]> {
  const { job, account, server } = run
  const remoteDrives = await drivesOf(server)
  const quota = await quotaOf(server)
  const { current, lost } = await job.write(async (system) => {
    const existingRows = await system.all
      .selectFrom('drives')
      .selectAll()
      .where('account_id', '=', account.id)
      .execute()
    const rows: DriveRow[] = []
    for (const remoteDrive of remoteDrives)
      rows.push(
        await updateDrive(
          system,
          run,
          remoteDrive,
          existingRows.find((row) => row.remote_id === remoteDrive.root),
          quota,
        ),
      )
    return {
      current: rows,
      lost: existingRows.filter(
        (row) => !remoteDrives.some((remoteDrive) => remoteDrive.root === row.remote_id),
      ),
    }
  })
  for (const row of lost) {
    await saveUnsentFilesOf(run, row)
    await job.erase('drives', row.id)
  }
  return current
}

async function updateDrive(
  system: TickContext,
  { account }: SyncRun,
  remoteDrive: RemoteDrive,
  existing: DriveRow | undefined,
  quota: { used: number; limitBytes: number | undefined },
): Promise<DriveRow> {
  const columns = {
    name: displayNameOf(remoteDrive.name),
    ...(remoteDrive.id === undefined
      ? { used_bytes: quota.used, quota_bytes: quota.limitBytes ?? null }
      : {}),
  }
  if (
    existing &&
    Object.entries(columns).every(([name, value]) => existing[name as keyof DriveRow] === value)
  )
    return existing
  return system.as(
    account.owner_id,
    async (ctx) => {
      if (existing) return ctx.change('drives', existing, columns)
      const root = newId('fil', system.now)
      const row = await ctx.add('drives', {
        owner_id: account.owner_id,
        account_id: account.id,
        kind: remoteDrive.id === undefined ? 'google' : 'google_shared',
        remote_id: remoteDrive.root,
        root_folder_id: root,
        ...columns,
      })
      await addFolder(system, row, {
        id: root,
        remoteId: remoteDrive.root,
        name: row.name,
        parent: null,
        can: addOnly,
      })
      return row
    },
    { via: 'sync' },
  )
}

/** The folder of a drive for files that are in no folder visible to its owner. */
export async function sharedFolder(
  system: TickContext,
  drive: DriveRow,
): Promise<Row<'files'>['id']> {
  const there = await system.all
    .selectFrom('files')
    .select('id')
    .where('drive_id', '=', drive.id)
    .where('remote_id', '=', sharedWithMe)
    .executeTakeFirst()
  if (there) return there.id
  const id = newId('fil', system.now) as Row<'files'>['id']
  await addFolder(system, drive, {
    id,
    remoteId: sharedWithMe,
    name: 'Shared with me',
    parent: drive.root_folder_id as Row<'files'>['id'],
    can: noPermissions,
  })
  return id
}

const folderState: Omit<RemoteState, 'name' | 'can'> = {
  description: null,
  parent: null,
  trashed: false,
  mime: folderType,
  head: null,
  sha256: null,
  version: 0,
  target: null,
  link: null,
  round: 0,
}

const emptyFolder = {
  project_id: null,
  description: null,
  size_bytes: 0,
  sha256: '',
  content_base64: '',
  version: 0,
  deleted_at: null,
  deleted_by: null,
  deleted_with: null,
}

/** Adds a folder that stands for a place at Google rather than a file; not recorded as a change. */
async function addFolder(
  { all, now }: TickContext,
  drive: DriveRow,
  folder: {
    id: string
    remoteId: string
    name: string
    parent: Row<'files'>['id'] | null
    can: RemoteState['can']
  },
): Promise<void> {
  const defaults = {
    revision: 1,
    synced_revision: 1,
    created_at: now,
    updated_at: now,
    modified_at: now,
    created_by: drive.owner_id,
    modified_by: drive.owner_id,
    created_via: 'sync' as const,
  }
  await all
    .insertInto('files')
    .values({
      ...emptyFolder,
      ...defaults,
      id: folder.id as Row<'files'>['id'],
      org_id: drive.org_id,
      place: 'drive',
      drive_id: drive.id,
      owner_id: drive.owner_id,
      parent_id: folder.parent,
      is_root: folder.parent === null ? 1 : 0,
      type: 'folder',
      name: folder.name,
      name_folded: folder.name.toLowerCase(),
      mime_type: folderType,
      trust: 'internal',
      text_status: 'none',
      remote_id: folder.remoteId,
      remote_json: JSON.stringify({ ...folderState, name: folder.name, can: folder.can }),
    })
    .execute()
}

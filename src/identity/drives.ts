import type { Id } from '../kernel/ids.ts'
import type { Store } from '../db/open.ts'

const withoutAccount = {
  account_id: null,
  remote_id: null,
  used_bytes: null,
  quota_bytes: null,
  sync_token: null,
  synced_at: null,
}

const rootFolderFields = {
  project_id: null,
  parent_id: null,
  description: null,
  remote_id: null,
  remote_json: null,
  synced_revision: null,
  deleted_at: null,
  deleted_by: null,
  deleted_with: null,
  is_root: 1,
  type: 'folder',
  name: 'Drive',
  name_folded: 'drive',
  mime_type: 'inode/directory',
  size_bytes: 0,
  sha256: '',
  content_base64: '',
  version: 0,
  trust: 'internal',
  text_status: 'none',
} as const

/** Every person has a drive with a root folder; their ids share the letters of the person's id. */
export async function addDrive(
  { write }: Store,
  now: number,
  owner: Id<'users'>,
  org_id: Id<'orgs'>,
): Promise<void> {
  const letters = owner.slice(4)
  const [drive, root] = [`drv_${letters}` as Id<'drives'>, `fil_${letters}` as Id<'files'>]
  const common = {
    org_id,
    owner_id: owner,
    revision: 1,
    created_at: now,
    updated_at: now,
    created_by: owner,
    created_via: 'cli' as const,
  }
  await write
    .insertInto('drives')
    .values({
      ...common,
      ...withoutAccount,
      id: drive,
      kind: 'builtin',
      name: 'Drive',
      root_folder_id: root,
    })
    .execute()
  const modified = { modified_at: now, modified_by: owner }
  await write
    .insertInto('files')
    .values({
      ...common,
      ...modified,
      ...rootFolderFields,
      id: root,
      place: 'drive',
      drive_id: drive,
    })
    .execute()
}

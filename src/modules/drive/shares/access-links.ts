import { type Kysely, sql } from 'kysely'
import type { Tables } from '../../../db/tables.ts'
import { type AccessScope, type Viewer, accessScopeOf } from '../../../records/access-scope.ts'
import type { CoveredItem } from '../../../records/resource-definition.ts'
import type { Row } from '../../../records/resource.ts'

// Contents that a share link makes public: its file or folder, for as long as the link is valid.

/** Maximum nesting depth of folders. */
export const maxFolderDepth = 60

/** Maximum number of files on the page of a shared folder. */
const maxFilesOnPage = 1000

export interface ResolvedLink {
  share: Row<'file_shares'>
  root: Row<'files'>
}

/** Resolves a share link; undefined if it does not exist, was ended or has expired, or if the file is in the trash. */
export async function resolveLink(
  all: Kysely<Tables>,
  now: number,
  tokenHash: string,
): Promise<ResolvedLink | undefined> {
  const share = await all
    .selectFrom('file_shares')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
  if (!share || (share.expires_at !== null && share.expires_at <= now)) return undefined
  const root = await all
    .selectFrom('files')
    .selectAll()
    .where('id', '=', share.file_id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
  if (!root || !(await mayCreatorShare(all, share, root))) return undefined
  return { share, root }
}

/** Whether the creator of a link may still share its file: active, and its owner or a member of its project. */
async function mayCreatorShare(
  all: Kysely<Tables>,
  { created_by }: Row<'file_shares'>,
  root: Row<'files'>,
): Promise<boolean> {
  const creator = await all
    .selectFrom('users')
    .select('id')
    .where('id', '=', created_by)
    .where('status', '=', 'active')
    .executeTakeFirst()
  if (!creator || root.project_id === null)
    return creator !== undefined && root.owner_id === created_by
  const member = await all
    .selectFrom('project_members')
    .innerJoin('projects', 'projects.id', 'project_members.project_id')
    .select('projects.id')
    .where('projects.id', '=', root.project_id)
    .where('projects.deleted_at', 'is', null)
    .where('project_members.person_id', '=', created_by)
    .executeTakeFirst()
  return member !== undefined
}

/** The files in a shared folder, at any depth, with their paths; for a shared file only itself. */
export async function sharedFilesOf(
  all: Kysely<Tables>,
  root: Row<'files'>,
): Promise<{ row: Row<'files'>; path: string }[]> {
  if (root.type !== 'folder') return [{ row: root, path: root.name }]
  const { rows } = await sql<
    Row<'files'> & { path: string }
  >`with recursive below (id, path, depth) as (
      select child.id, child.name, 1 from files as child where child.parent_id = ${root.id} and child.deleted_at is null
      union all select child.id, below.path || '/' || child.name, below.depth + 1 from files as child join below on child.parent_id = below.id where child.deleted_at is null and below.depth < ${maxFolderDepth}
    ) select files.*, below.path from below join files on files.id = below.id where files.type <> 'folder' and files.sha256 <> '' order by below.path limit ${maxFilesOnPage}`.execute(
    all,
  )
  return rows.map(({ path, ...row }) => ({ row: row as Row<'files'>, path }))
}

/** Whether a file is put below a folder with a share link, and so becomes public. */
export async function becomesPublic(
  row: Row<'files'>,
  before: Row<'files'> | undefined,
  scope: AccessScope,
): Promise<boolean> {
  if (
    row.deleted_at !== null ||
    (before && before.deleted_at === null && before.parent_id === row.parent_id)
  )
    return false
  return isBelowLink(scope, row.parent_id)
}

/** Whether people outside see a file or folder by a link: on itself, or on a folder above it. */
export async function isLinked(
  viewer: Viewer,
  row: Pick<Row<'files'>, 'id' | 'parent_id'>,
): Promise<boolean> {
  const s = accessScopeOf(viewer)
  return (await isBelowLink(s, row.id)) || isBelowLink(s, row.parent_id)
}

/** Whether a folder, or one above it, has a valid link. */
async function isBelowLink(scope: AccessScope, id: string | null): Promise<boolean> {
  if (id === null) return false
  const { rows } = await sql<{ one: number }>`with recursive above (id, parent_id) as (
      select self.id, self.parent_id from files as self where self.id = ${id}
      union select up.id, up.parent_id from files as up join above on up.id = above.parent_id
    ) select 1 as one from above join file_shares as given on given.file_id = above.id where given.kind = 'link' and (given.expires_at is null or given.expires_at > ${scope.now}) limit 1`.execute(
    scope.all,
  )
  return rows.length > 0
}

/** Items of a shared folder that visitors see. */
export async function coveredFiles(
  row: Row<'files'>,
  accessScope: AccessScope,
): Promise<CoveredItem[]> {
  if (row.type !== 'folder') return []
  return (await sharedFilesOf(accessScope.all, row)).map(({ row: { id, revision }, path }) => ({
    type: 'file',
    id,
    title: path,
    revision,
  }))
}

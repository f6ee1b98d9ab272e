import { prepared } from '../../../records/prepared.ts'
import { sql } from 'kysely'
import type { Id } from '../../../kernel/ids.ts'
import type { Row, Scoped } from '../../../records/resource.ts'
import { accessScopeOf, type Viewer } from '../../../records/access-scope.ts'
import { project, visibleProjectIds } from '../../portfolio/access.ts'
import { fileContainer } from './access-texts.ts'
import { listedFiles } from '../access.ts'
import { isShared } from '../shares/access-grants.ts'
import { maxFolderDepth } from '../shares/access-links.ts'

export { maxFolderDepth }

type FileId = Id<'files'>

/** Maximum number of files that one call moves or trashes. */
export const maxFilesInTree = 20_000

/** Columns of a parent folder in the file tree. */
export type FileNode = Pick<
  Row<'files'>,
  'id' | 'parent_id' | 'name' | 'is_root' | 'place' | 'owner_id' | 'deleted_at'
>
const nodeColumns = [
  'files.id',
  'files.parent_id',
  'files.name',
  'files.is_root',
  'files.place',
  'files.owner_id',
  'files.deleted_at',
] as const

/** Files and their parent folders, including invisible ones: not to be shown without checking access. */
export async function filesWithParents(
  viewer: Viewer,
  ids: readonly FileId[],
): Promise<Map<FileId, FileNode>> {
  if (ids.length === 0) return new Map()
  const rows = await accessScopeOf(viewer)
    .all.withRecursive('above', (db) =>
      db
        .selectFrom('files')
        .select(['files.id', 'files.parent_id'])
        .where('files.id', 'in', ids)
        .union(
          db
            .selectFrom('files')
            .innerJoin('above', 'above.parent_id', 'files.id')
            .select(['files.id', 'files.parent_id']),
        ),
    )
    .selectFrom('files')
    .innerJoin('above', 'above.id', 'files.id')
    .select(nodeColumns)
    .distinct()
    .execute()
  return new Map(rows.map((row) => [row.id, row]))
}

/** The path from a file up to its top folder, nearest first, including itself. */
export function pathUp(nodes: ReadonlyMap<FileId, FileNode>, id: FileId | null): FileNode[] {
  const way: FileNode[] = []
  for (
    let at = id === null ? undefined : nodes.get(id);
    at && way.length <= 2 * maxFolderDepth && !way.includes(at);
    at = at.parent_id === null ? undefined : nodes.get(at.parent_id)
  )
    way.push(at)
  return way
}

/** A file and everything below it outside the trash, visible or not, parents first. */
export async function wholeTree(viewer: Viewer, id: FileId): Promise<Row<'files'>[]> {
  return accessScopeOf(viewer)
    .all.withRecursive('below', (db) =>
      db
        .selectFrom('files')
        .select(['files.id', sql<number>`0`.as('depth')])
        .where('files.id', '=', id)
        .unionAll(
          db
            .selectFrom('files')
            .innerJoin('below', 'below.id', 'files.parent_id')
            .select(['files.id', sql<number>`below.depth + 1`.as('depth')])
            .where('files.deleted_at', 'is', null)
            .where('below.depth', '<=', 2 * maxFolderDepth),
        ),
    )
    .selectFrom('below')
    .innerJoin('files', 'files.id', 'below.id')
    .selectAll('files')
    .orderBy('below.depth')
    .orderBy('files.id')
    .limit(maxFilesInTree + 1)
    .execute()
}

/** Finds the child of a folder by name, ignoring case. */
export async function childNamed(
  reader: Viewer,
  parent: FileId,
  folded: string,
): Promise<Row<'files'> | undefined> {
  const { all } = accessScopeOf(reader)
  return all
    .selectFrom('files')
    .selectAll()
    .where('parent_id', '=', parent)
    .where('name_folded', '=', folded)
    .where('deleted_at', 'is', null)
    .orderBy('id')
    .executeTakeFirst()
}

/** Names in a folder with a prefix, in lower case. */
export async function namesWithPrefix(
  viewer: Viewer,
  parent: FileId,
  start: string,
): Promise<Set<string>> {
  const { all } = accessScopeOf(viewer)
  const rows = await all
    .selectFrom('files')
    .select('name_folded')
    .where('parent_id', '=', parent)
    .where('name_folded', '>=', start)
    .where('name_folded', '<', `${start}\u{10ffff}`)
    .where('deleted_at', 'is', null)
    .execute()
  return new Set(rows.map((row) => row.name_folded))
}

/** Shares of files, visible or not; only for access rules. */
export async function sharesOfFiles(
  reader: Viewer,
  ids: readonly FileId[],
): Promise<Row<'file_shares'>[]> {
  if (ids.length === 0) return []
  return accessScopeOf(reader)
    .all.selectFrom('file_shares')
    .selectAll()
    .where('file_id', 'in', ids)
    .execute()
}

/** The members of a project, whether or not the actor is one. */
export async function membersOf(viewer: Viewer, projectId: Id<'projects'>): Promise<Id<'users'>[]> {
  const rows = await accessScopeOf(viewer)
    .all.selectFrom('project_members')
    .select('person_id')
    .where('project_id', '=', projectId)
    .execute()
  return rows.map((row) => row.person_id)
}

/** Bytes of all versions counted for a person, including the trash. */
export async function usedBytesOf(reader: Viewer, personId: Id<'users'>): Promise<number> {
  const { used } = await accessScopeOf(reader)
    .all.selectFrom('file_versions')
    .innerJoin('files', 'files.id', 'file_versions.file_id')
    .leftJoin('drives', 'drives.id', 'files.drive_id')
    .where('files.owner_id', '=', personId)
    .where((eb) => eb.or([eb('drives.id', 'is', null), eb('drives.kind', '=', 'builtin')]))
    .select(sql<number>`coalesce(sum(file_versions.size_bytes), 0)`.as('used'))
    .executeTakeFirstOrThrow()
  return Number(used)
}

/** Bytes and number of a person's announced uploads that are still open. */
export async function announcedUploadsOf(
  viewer: Viewer,
  personId: Id<'users'>,
): Promise<{ bytes: number; count: number }> {
  const { all, now } = accessScopeOf(viewer)
  const row = await all
    .selectFrom('upload_sessions')
    .where('owner_id', '=', personId)
    .where('completed_at', 'is', null)
    .where('expires_at', '>', now)
    .select((eb) => [
      sql<number>`coalesce(sum(size_bytes), 0)`.as('bytes'),
      eb.fn.countAll<number>().as('count'),
    ])
    .executeTakeFirstOrThrow()
  return { bytes: Number(row.bytes), count: row.count }
}

/** Containers whose texts the actor may all find: the own drive, and those of the actor's projects. */
export async function ownContainers(reader: Viewer): Promise<string[]> {
  return [accessScopeOf(reader).actor.id, ...(await visibleProjectIds(reader))]
}

/** Files that others share with the actor, with the container of their texts, which also has unshared ones. */
export async function sharedFilesWithContainers(
  viewer: Viewer,
): Promise<{ id: FileId; container: string }[]> {
  const ownContainerIds = new Set(await ownContainers(viewer))
  return (await sharedFiles(viewer, {}))
    .map((row) => ({ id: row.id, container: fileContainer(row) }))
    .filter((item) => !ownContainerIds.has(item.container))
}

const sharedFiles = prepared((from) =>
  listedFiles(from)
    .where(isShared(from))
    .select(['files.id', 'files.owner_id', 'files.project_id']),
)

/**
 * Files at the top level for the actor: their own, the folders of their projects, and the topmost folders that others
 * share.
 */
export function topLevelFiles(viewer: Viewer, root: FileId): Scoped<'files'> {
  const s = accessScopeOf(viewer)
  const sharedFiles = s.all
    .selectFrom('file_shares')
    .select('file_shares.file_id')
    .where('file_shares.person_id', '=', s.actor.id)
  const trashed = s.all
    .selectFrom('files as up')
    .select('up.id')
    .where('up.deleted_with', 'is not', null)
    .where('up.type', '=', 'folder')
    .where('up.org_id', '=', s.actor.org_id)
  return listedFiles(viewer).where((eb) =>
    eb.or([
      eb('files.parent_id', '=', root),
      eb.and([
        eb('files.place', '=', 'drive'),
        eb('files.is_root', '=', 0),
        eb('files.parent_id', 'is', null),
        eb('files.owner_id', '=', s.actor.id),
        eb('files.remote_id', 'is', null),
      ]), // files whose folder was erased
      eb.and([
        eb('files.parent_id', 'in', trashed),
        eb('files.remote_id', 'is', null),
        eb.or([eb('files.place', '=', 'project'), eb('files.owner_id', '=', s.actor.id)]),
      ]), // files restored before their folder
      eb.and([
        eb('files.place', '=', 'project'),
        eb('files.is_root', '=', 1),
        project.holds(s, 'files.project_id'),
      ]),
      eb('files.id', 'in', sharedFiles),
    ]),
  )
}

/** Narrows to files below a folder, at any depth. */
export function filesBelow(files: Scoped<'files'>, id: FileId): Scoped<'files'> {
  return files.where(
    sql<boolean>`files.id in (with recursive down (id) as (select under.id from files as under where under.parent_id = ${id} union select under.id from files as under join down on under.parent_id = down.id) select down.id from down)`,
  )
}

/** Narrows to files that the actor has starred, or has not. */
export function narrowByStar(
  files: Scoped<'files'>,
  viewer: Viewer,
  isStarred: boolean,
): Scoped<'files'> {
  const { actor } = accessScopeOf(viewer)
  const hasStar = sql<boolean>`exists (select 1 from file_stars as star where star.file_id = files.id and star.person_id = ${actor.id})`
  return files.where(isStarred ? hasStar : sql<boolean>`not ${hasStar}`)
}

/** Stores the text of a file's current version; not recorded as a change. */
export async function storeFileText(
  reader: Viewer,
  row: Pick<Row<'files'>, 'id' | 'org_id' | 'version'>,
  text: Pick<Row<'file_texts'>, 'body' | 'format' | 'problem'>,
): Promise<void> {
  const { all } = accessScopeOf(reader)
  await all.deleteFrom('file_texts').where('file_id', '=', row.id).execute()
  await all
    .insertInto('file_texts')
    .values({ file_id: row.id, org_id: row.org_id, version: row.version, ...text })
    .execute()
}

/** Number of valid share links of a file. */
export async function validLinkCount(viewer: Viewer, id: FileId): Promise<number> {
  const { all, now } = accessScopeOf(viewer)
  const { count } = await all
    .selectFrom('file_shares')
    .where('file_id', '=', id)
    .where('kind', '=', 'link')
    .where((eb) => eb.or([eb('expires_at', 'is', null), eb('expires_at', '>', now)]))
    .select((eb) => eb.fn.countAll<number>().as('count'))
    .executeTakeFirstOrThrow()
  return count
}

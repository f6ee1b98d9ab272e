import { type Expression, type SqlBool, sql } from 'kysely'
import { readBlob } from '../../files/blobs.ts'
import { Refusal } from '../../kernel/refusal.ts'
import type { ReadContext } from '../../operations/context.ts'
import { type AccessScope, type Viewer, accessScopeOf } from '../../records/access-scope.ts'
import { ExtensionPoint } from '../../records/extension-point.ts'
import { part } from '../../records/part.ts'
import { type Row, type Scoped, resource } from '../../records/resource.ts'
import { extend } from '../../records/resource-extensions.ts'
import { person } from '../directory/access.ts'
import { labelledItems } from '../labels/access.ts'
import { project } from '../portfolio/access.ts'
import { searchFile } from './files/access-texts.ts'
import { becomesPublic, coveredFiles, isLinked } from './shares/access-links.ts'
import {
  inOwnDrive,
  drivesBeingRemoved,
  mayChange,
  organizationFiles,
  shareRoles,
  isSharedWithRole,
  isShared,
} from './shares/access-grants.ts'
import { changesPendingOutbound } from './shares/access-waiting.ts'

/** For the module of projects, each of which has a folder. */
export {
  createProjectFolder,
  renameProjectFolder,
} from './files/access-folders.ts'
import { anyOf } from '../../db/text-conditions.ts'

/** Items that show files to those who see the items: messages, pages, tasks. Their modules register them. */
interface FileHolder {
  /** Condition that the actor can see the file of a column through such an item; `isGivenBy`: that the person of a column may share it. */
  shows: (
    scope: AccessScope,
    file: string,
    isGivenBy: (person: string) => Expression<SqlBool>,
  ) => Expression<SqlBool>
  /** Shows only attached files; a file of a drive keeps its own access. */
  attachedOnly?: true
}

export const fileHolders = new ExtensionPoint<FileHolder>()

function isHeldVisible(scope: AccessScope, holders: readonly FileHolder[]): Expression<SqlBool> {
  const rules = holders.map((holder) => holder.shows(scope, 'files.id', mayBeSharedBy))
  return anyOf(rules)
}

/** Access by place: a drive or project of the actor; for an attached file, having added it or seeing its item. */
function isAccessibleByPlace(accessScope: AccessScope): Expression<SqlBool> {
  const attached = isHeldVisible(
    accessScope,
    fileHolders.entries.filter((entry) => entry.attachedOnly),
  )
  return sql<SqlBool>`case files.place when 'drive' then ${inOwnDrive(accessScope)} when 'project' then ${project.holds(accessScope, 'files.project_id')} else (files.created_by = ${accessScope.actor.id} or ${attached}) end`
}

/**
 * Whether a person may share a file: its owner if it is in a drive, current members if it is in a project. Otherwise a
 * reader could pass it on for good, and keep access after their share ends. Attached files are in no drive.
 */
function mayBeSharedBy(sharerColumn: string): Expression<SqlBool> {
  const isMember = sql<SqlBool>`exists (select 1 from project_members as giver where giver.project_id = files.project_id and giver.person_id = ${sql.ref(sharerColumn)})`
  return sql<SqlBool>`case files.place when 'attached' then true when 'drive' then files.owner_id = ${sql.ref(sharerColumn)} else ${isMember} end`
}

/** Whether the actor sees a file through what holds it: a picture, a message, a page. Never a Google file. */
function isShownByHolder(scope: AccessScope): Expression<SqlBool> {
  const peopleWithPicture = person
    .visibleTo(scope)
    .where('users.avatar_file_id', '=', sql.ref<never>('files.id'))
    .where(mayBeSharedBy('users.id'))
    .select('users.id')
  const isHeldByItem = isHeldVisible(
    scope,
    fileHolders.entries.filter((entry) => !entry.attachedOnly),
  )
  return sql<SqlBool>`(files.remote_id is null and (exists ${peopleWithPicture} or ${isHeldByItem}))`
}

/** Files and folders that the actor can see: own ones, shared ones, those of projects, and those attached to visible items. */
export const file = resource(
  'files',
  {
    type: 'file',
    prefix: 'fil',
    see: (s) =>
      organizationFiles(s).where(
        sql<SqlBool>`(${isAccessibleByPlace(s)} or ${isSharedWithRole(s, shareRoles)} or ${isShownByHolder(s)})`,
      ),
    edit: (s) =>
      organizationFiles(s).where(
        sql<SqlBool>`(${mayChange(s)} or ${isSharedWithRole(s, ['editor'])})`,
      ),
    own: (s) => organizationFiles(s).where(mayChange(s)),
    rule: {
      edit: 'Only the owner, project members and people with editor access may change this file.',
      own: 'Only the owner of the file or a member of its project may do this.',
    },
    names: {
      columns: ['name'],
      by: filesByPath,
      details: (row) => ({ type: row.type, parent_id: row.parent_id }),
    },
    takes: 'id, name or path',
    list: { tool: 'list_files' },
    title: (row) => row.name,
    isExternal: (row) => row.trust === 'external',
    path: (row) => `files/${row.id}`,
    project: (row) => row.project_id,
    unaudited: [
      'content_base64',
      'name_folded',
      'sha256',
      'version',
      'text_status',
      'remote_id',
      'remote_json',
      'synced_revision',
      'modified_at',
      'modified_by',
    ],
    search: searchFile,
    isOutbound: async (row, before, s) =>
      (await becomesPublic(row, before, s)) || changesPendingOutbound(row, before, s),
    outside: {
      isVisible: async (row, s) => row.deleted_at === null && (await isLinked(s, row)),
      unseen: [
        'description',
        'name_folded',
        'text_status',
        'trust',
        'remote_json',
        'synced_revision',
        'modified_at',
        'modified_by',
      ],
    },
    approval: { covers: coveredFiles },
  },
  { trash: true },
)

extend(file, 'changes', {
  afterChange: refuseCycle,
})

extend(file, 'trash', {
  restorable: (s) =>
    organizationFiles(s).where(
      sql<SqlBool>`(${mayChange(s)} or (files.deleted_by = ${s.actor.id} and ${isSharedWithRole(s, ['editor'])}))`,
    ),
})

/** Files by their name, or by a path whose folders the actor sees: `Reports/2026/plan.pdf`. */
async function filesByPath(
  rows: Scoped<'files'>,
  text: string,
  scope: AccessScope,
): Promise<Scoped<'files'> | undefined> {
  const names = text
    .split('/')
    .filter((part) => part !== '')
    .map((part) => part.normalize('NFC').toLowerCase())
  if (names.length === 0 || names.length > maxPathDepth) return undefined
  const [name, ...above] = names.toReversed()
  return rows.where('files.name_folded', '=', name!).where(isInFolders(scope, above))
}

/** Whether a file is in folders of these names that the actor sees, from the lowest up. */
function isInFolders(
  accessScope: AccessScope,
  [name, ...above]: readonly string[],
): Expression<SqlBool> {
  if (name === undefined) return sql<SqlBool>`true`
  const folders = file
    .visibleTo(accessScope)
    .where('files.name_folded', '=', name)
    .where('files.type', '=', 'folder')
    .where(isInFolders(accessScope, above))
    .select('files.id')
  return sql<SqlBool>`files.parent_id in ${folders}`
}

/** Maximum number of names in a path. */
const maxPathDepth = 20

/** Undoing a move can conflict with a later move: a folder inside itself would be unreachable, with all its files. */
async function refuseCycle(
  row: Row<'files'> | undefined,
  before: Row<'files'> | undefined,
  scope: AccessScope,
): Promise<void> {
  if (!row || !before || row.parent_id === null || row.parent_id === before.parent_id) return
  const { rows } = await sql<{ one: number }>`with recursive above (id, parent_id) as (
      select self.id, self.parent_id from files as self where self.id = ${row.parent_id}
      union select up.id, up.parent_id from files as up join above on up.id = above.parent_id
    ) select 1 as one from above where above.id = ${row.id} limit 1`.execute(scope.all)
  if (rows.length > 0)
    throw new Refusal(
      'conflict',
      'A folder cannot be inside itself.',
      'Move the other one out first.',
    )
}

/**
 * Requires the right to share a file: posting or answering with it shows it to others. @throws Refusal
 * permission_denied where it is not theirs to show
 */
export async function requireMayShare(
  viewer: Viewer,
  files: readonly Row<'files'>[],
  field: string,
): Promise<void> {
  for (const row of files)
    if (row.place !== 'attached') await file.demand(viewer, row.id, 'own', field)
}

/** Versions of files: visible with their file. */
export const fileVersion = resource('file_versions', {
  type: 'file_version',
  prefix: 'fvr',
  see: (s) => s.all.selectFrom('file_versions').where(file.holds(s, 'file_versions.file_id')),
  inheritsVisibilityFrom: 'file_id',
  title: (row) => `version ${row.number}`,
  path: (row) => `files/${row.file_id}/versions/${row.id}`,
  partOf: {
    table: 'files',
    by: 'file_id',
    field: 'content',
    value: (row) => `version ${row.number}, ${row.size_bytes} bytes`,
    touch: 'revision',
    level: 'edit',
  },
})

/** Shares: visible to everyone who sees the file; created and ended by its owner. */
export const fileShare = resource('file_shares', {
  type: 'share',
  prefix: 'shr',
  see: (s) => s.all.selectFrom('file_shares').where(file.holds(s, 'file_shares.file_id')),
  inheritsVisibilityFrom: 'file_id',
  edit: (s) =>
    s.all
      .selectFrom('file_shares')
      .where(
        sql<SqlBool>`(file_shares.person_id = ${s.actor.id} or ${file.holds(s, 'file_shares.file_id', 'own')})`,
      ),
  rule: { edit: 'Only the owner of the file or the recipient of the share may end it.' },
  title: (row) => row.role,
  path: (row) => `files/${row.file_id}`,
  partOf: {
    table: 'files',
    by: 'file_id',
    field: 'shares',
    value: (row) => ({
      ...(row.person_id === null ? { link: true } : { person: row.person_id }),
      role: row.role,
    }),
    touch: 'revision',
    level: 'own',
  },
  isOutbound: (row, before) =>
    row.kind === 'link' &&
    (!before ||
      (before.expires_at !== null &&
        (row.expires_at === null || row.expires_at > before.expires_at))),
  outside: {
    isVisible: (row, s) =>
      row.kind === 'link' && (row.expires_at === null || row.expires_at > s.now),
    unseen: ['note'],
  },
  unaudited: ['token_hash', 'password_hash'],
})

export const fileLabel = part('file_labels', {
  table: 'files',
  by: 'file_id',
  unique: ['file_id', 'label_id'],
  field: 'labels',
  value: (row) => row.label_id,
  touch: 'revision',
})

labelledItems.register({ type: 'file', items: file, links: fileLabel })

/** Stars are personal. */
export const fileStar = part('file_stars', {
  table: 'files',
  by: 'file_id',
  unique: ['file_id', 'person_id'],
  field: 'starred',
  value: () => true,
  touch: 'time',
  level: 'see',
  personal: (row) => row.person_id,
})

/** A person's own drives, built-in and connected; without those of an account that is being removed. */
export const drive = resource('drives', {
  type: 'drive',
  prefix: 'drv',
  see: (s) =>
    s.all
      .selectFrom('drives')
      .where('drives.owner_id', '=', s.actor.id)
      .where('drives.id', 'not in', drivesBeingRemoved(s)),
  names: { columns: ['name'], details: (row) => ({ kind: row.kind }) },
  list: { tool: 'list_drives' },
  title: (row) => row.name,
  path: (row) => `drives/${row.id}`,
  unaudited: ['sync_token', 'synced_at', 'used_bytes', 'quota_bytes'],
})

/** Announced uploads: visible to the person who announced them. */
export const uploadSession = resource('upload_sessions', {
  type: 'upload_session',
  prefix: 'ups',
  see: (s) =>
    s.all.selectFrom('upload_sessions').where('upload_sessions.owner_id', '=', s.actor.id),
  title: (row) => row.name,
  path: (row) => `files/${row.folder_id}`,
  outside: {
    isVisible: (row, s) =>
      isLinked(s, { id: row.folder_id as Row<'files'>['id'], parent_id: null }),
    unseen: ['file_id', 'completed_at'],
  },
  unaudited: ['token_hash'],
})

/** The same files as `file.see`, for lists: shared files are collected once, from the shares downward. */
export function listedFiles(viewer: Viewer): Scoped<'files'> {
  const s = accessScopeOf(viewer)
  const query = organizationFiles(s).where(
    sql<SqlBool>`(${isAccessibleByPlace(s)} or ${isShared(s)} or ${isShownByHolder(s)})`,
  )
  return s.trash ? query : query.where('files.deleted_at', 'is', null)
}

/**
 * The whole content of a visible file.
 * @throws Refusal too_large; not_connected for a file of a Google drive whose content is not here
 */
export function bytesOf(
  ctx: Pick<ReadContext, 'settings'>,
  row: Row<'files'>,
  maxBytes = 32 * 2 ** 20,
): Buffer {
  if (row.type === 'folder')
    throw new Refusal('invalid_argument', `“${row.name}” is a folder.`, 'Name a file in it.')
  if (row.size_bytes > maxBytes)
    throw new Refusal(
      'too_large',
      `“${row.name}” has ${row.size_bytes} bytes, more than the ${maxBytes} that can be read here.`,
      { context: { limit: maxBytes } },
    )
  if (row.content_base64 !== '') return Buffer.from(row.content_base64, 'base64')
  if (row.sha256 === '')
    throw new Refusal(
      'not_connected',
      `The content of “${row.name}” is in a connected Google drive.`,
      'Copy it into the built-in drive with copy_file, and use the copy.',
    )
  return readBlob(ctx.settings.data, { sha256: row.sha256, size: row.size_bytes })
}

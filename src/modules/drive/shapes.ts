import { shape } from '../../kernel/shape.ts'
import { omitNullish } from '../../kernel/present.ts'
import { z } from 'zod'
import type { ReadContext } from '../../operations/context.ts'
import { datetimeString } from '../../kernel/fields.ts'
import type { Id } from '../../kernel/ids.ts'
import type { Row } from '../../records/resource.ts'
import { iso } from '../../kernel/time/times.ts'
import { labelsByItem } from '../labels/shapes.ts'
import { peopleRefs } from '../directory/shapes.ts'
import {
  common,
  commonOf,
  ItemRef,
  ReaderChange,
  Ref,
  trust,
  trustOf,
} from '../../records/shapes.ts'
import { project } from '../portfolio/access.ts'
import { drive, file, fileLabel, fileShare, fileStar, fileVersion } from './access.ts'
import { shareRoles } from './shares/access-grants.ts'
import { driveOf } from './files/access-folders.ts'
import { filesWithParents, pathUp, type FileNode } from './files/access-tree.ts'
import { fileTypes } from './files/file-types.ts'

/** For modules that keep files with their items, or take them into the drive. */
export { addFile, storeAttached } from './files/creation.ts'

export const Drive = shape('Drive', {
  ...common,
  kind: z.enum(['builtin', 'google', 'google_shared']),
  name: z.string(),
  account: z.string().optional(),
  used_bytes: z.int().describe('including earlier versions and the trash'),
  quota_bytes: z.int().optional(),
  status: z.enum(['active', 'reauth_required']),
  root_folder_id: z.string(),
})

export const Share = shape('FileShare', {
  ...common,
  on: ItemRef,
  kind: z.enum(['person', 'link']),
  person: Ref.optional(),
  role: z.enum(shareRoles),
  note: z.string().optional(),
  link_url: z.string().optional().describe('shown only once, when created'),
  has_password: z.boolean(),
  expires_at: datetimeString().optional(),
  inherited_from: ItemRef.optional().describe('the folder that is shared'),
})

const fileFields = {
  ...common,
  drive: Ref.optional().describe('absent: an attachment only'),
  project: Ref.optional().describe('owner of its folder'),
  name: z.string(),
  type: z.enum(fileTypes),
  mime_type: z.string(),
  size_bytes: z.int(),
  path: z.string().describe('from the topmost folder visible to you'),
  parent_id: z.string().optional(),
  owner: Ref,
  version_id: z.string().optional(),
  modified_at: datetimeString(),
  modified_by: Ref,
  starred: z.boolean(),
  labels: z.array(Ref),
  text_status: z.enum(['indexed', 'pending', 'none']),
  description: z.string().optional(),
  trust,
}

/** A file in lists: without its shares. */
export const ListedFile = shape('ListedFile', fileFields)

export const File = shape('File', {
  ...fileFields,
  shares: z.array(Share).optional(),
  readers: ReaderChange.optional(),
  warnings: z.array(z.string()).optional(),
  dry_run: z.boolean().optional(),
})

export const FileVersion = shape('FileVersion', {
  id: z.string(),
  file: Ref,
  number: z.int(),
  size_bytes: z.int(),
  mime_type: z.string(),
  author: Ref,
  comment: z.string().optional(),
  is_current: z.boolean(),
  sha256: z.string().optional().describe('absent: the content is in a Google drive'),
  created_at: datetimeString(),
  created_via: common.created_via,
})

export const UploadSession = shape('UploadSession', {
  ...common,
  upload_url: z
    .string()
    .optional()
    .describe('PUT the bytes here once; no key is needed. Shown only once, when created'),
  method: z.literal('PUT'),
  headers: z.record(z.string(), z.string()),
  expires_at: datetimeString(),
  max_bytes: z.int(),
  status: z.enum(['open', 'completed', 'expired']),
  file_id: z.string().optional(),
})

export const FileContent = shape('FileContent', {
  file_or_attachment: ItemRef,
  version_id: z.string().optional(),
  mime_type: z.string(),
  size_bytes: z.int(),
  format: z.enum(['text', 'markdown', 'base64', 'link']),
  content: z
    .strictObject({
      text: z.string(),
      trust: z.enum(['internal', 'external']),
      source: z.string().optional(),
    })
    .optional(),
  base64: z.string().optional(),
  download_url: z.string().optional(),
  expires_at: datetimeString().optional(),
  offset: z.int(),
  total_chars: z.int().optional(),
  next_offset: z.int().optional(),
  extraction: z.enum(['native', 'ocr', 'none']),
  note: z.string().optional(),
})

export type ListedFileShape = z.infer<typeof ListedFile>

const fileRef = (row: Pick<Row<'files'>, 'id' | 'name' | 'trust'>): Ref => ({
  id: row.id,
  title: row.name,
  ...trustOf(row.trust === 'external'),
})

/** Files for lists. The rows are already visible. */
export async function presentFiles(
  ctx: ReadContext,
  rows: readonly Row<'files'>[],
): Promise<ListedFileShape[]> {
  if (rows.length === 0) return []
  const people = await peopleRefs(
    ctx,
    rows.flatMap((row) => [row.owner_id, row.created_by, row.modified_by]),
  )
  const { paths, seen } = await visiblePaths(ctx, rows)
  const projects = await projectRefs(ctx, rows)
  const drives = await drive.among(
    ctx,
    rows.flatMap((row) => (row.remote_id === null ? [] : (row.drive_id ?? []))),
  )
  const labels = await labelsByFile(
    ctx,
    rows.map((row) => row.id),
  )
  const stars = await starredIds(ctx, rows)
  const versions = await currentVersionIds(ctx, rows)
  const ownDrive: Ref = { id: driveOf(ctx.actor.id), title: 'Drive' }
  return rows.map((row) => {
    const driveRow = row.drive_id === null ? undefined : drives.get(row.drive_id)
    const version = versions.get(row.id)
    return omitNullish({
      ...commonOf(row, file.url(row, ctx.baseUrl), people),
      ...(row.place === 'attached'
        ? {}
        : { drive: driveRow ? { id: driveRow.id, title: driveRow.name } : ownDrive }),
      project:
        row.project_id !== null && projects.has(row.project_id)
          ? projects.get(row.project_id)!
          : undefined,
      name: row.name,
      type: row.type,
      mime_type: row.mime_type,
      size_bytes: row.size_bytes,
      path: drivePathOf(row, paths.get(row.id)!),
      parent_id: row.parent_id !== null && seen.has(row.parent_id) ? row.parent_id : undefined,
      owner: people.get(row.owner_id) ?? { id: row.owner_id, title: '' },
      version_id: version,
      modified_at: iso(row.modified_at),
      modified_by: people.get(row.modified_by) ?? { id: row.modified_by, title: '' },
      starred: stars.has(row.id),
      labels: labels.get(row.id) ?? [],
      text_status: row.text_status,
      description: row.description,
      ...trustOf(row.trust === 'external'),
    })
  })
}

/** Ids of the files that the caller has starred. */
async function starredIds(
  ctx: ReadContext,
  rows: readonly Row<'files'>[],
): Promise<ReadonlySet<string>> {
  const ids = rows.map((row) => row.id)
  const stars = await fileStar
    .of(ctx, ids)
    .select('file_stars.file_id')
    .where('file_stars.person_id', '=', ctx.actor.id)
    .execute()
  return new Set(stars.map((star) => star.file_id))
}

/** The folders above each file, outermost first, as far as the reader sees them. */
async function visiblePaths(
  ctx: ReadContext,
  rows: readonly Row<'files'>[],
): Promise<{ paths: Map<string, FileNode[]>; seen: ReadonlySet<string> }> {
  const nodes = await filesWithParents(ctx, [
    ...new Set(rows.flatMap((row) => row.parent_id ?? [])),
  ])
  const seen = new Set((await file.among(ctx, [...nodes.keys()])).keys())
  const paths = new Map<string, FileNode[]>(
    rows.map((row) => [
      row.id,
      pathUp(nodes, row.parent_id)
        .filter((node) => seen.has(node.id))
        .reverse(),
    ]),
  )
  return { paths, seen }
}

/**
 * Path of a file: from the top of the own drive; below /Projects for a project; from the topmost shared folder for
 * files that others share.
 */
function drivePathOf(row: Row<'files'>, way: readonly FileNode[]): string {
  const names = way.flatMap((node) =>
    node.is_root === 1 && node.place === 'drive' ? [] : [node.name],
  )
  const fileName = row.is_root === 1 && row.place === 'drive' ? [] : [row.name]
  const all = [
    ...(row.place === 'project' && (way[0]?.is_root === 1 || row.is_root === 1)
      ? ['Projects']
      : []),
    ...names,
    ...fileName,
  ]
  return `/${all.join('/')}`
}

async function projectRefs(
  ctx: ReadContext,
  rows: readonly Row<'files'>[],
): Promise<Map<string, Ref>> {
  const projectsById = await project.among(
    ctx,
    rows.flatMap((row) => row.project_id ?? []),
  )
  return new Map([...projectsById].map(([id, row]) => [id, { id, title: row.name, key: row.key }]))
}

async function currentVersionIds(
  ctx: ReadContext,
  rows: readonly Row<'files'>[],
): Promise<Map<string, string>> {
  const versions = await fileVersion
    .of(
      ctx,
      rows.map((row) => row.id),
    )
    .select(['file_versions.id', 'file_versions.file_id', 'file_versions.number'])
    .execute()
  const numbers = new Map(rows.map((row) => [row.id as string, row.version]))
  return new Map(
    versions
      .filter((version) => numbers.get(version.file_id) === version.number)
      .map((version) => [version.file_id, version.id]),
  )
}

async function labelsByFile(
  ctx: ReadContext,
  ids: readonly Id<'files'>[],
): Promise<Map<string, Ref[]>> {
  const labelLinks = await fileLabel
    .of(ctx, ids)
    .select(['file_labels.file_id as item', 'file_labels.label_id'])
    .orderBy('file_labels.added_at')
    .orderBy('file_labels.label_id')
    .execute()
  return labelsByItem(ctx, labelLinks)
}

/** One file with its shares. */
export async function presentFile(
  ctx: ReadContext,
  row: Row<'files'>,
): Promise<z.infer<typeof File>> {
  const [shape] = await presentFiles(ctx, [row])
  return { ...shape!, shares: await sharesOf(ctx, row) }
}

/** The shares of a file: its own, and those of visible parent folders; without expired links. */
async function sharesOf(ctx: ReadContext, row: Row<'files'>): Promise<z.infer<typeof Share>[]> {
  const above = await file.among(ctx, [...(await filesWithParents(ctx, [row.id])).keys()])
  const shares = await fileShare
    .of(ctx, [row.id, ...[...above.values()].map((item) => item.id)])
    .selectAll('file_shares')
    .orderBy('file_shares.id')
    .execute()
  return presentShares(
    ctx,
    row,
    shares.filter((share) => share.expires_at === null || share.expires_at > ctx.now),
    above,
  )
}

export async function presentShares(
  ctx: ReadContext,
  fileRow: Row<'files'>,
  shares: readonly Row<'file_shares'>[],
  above: ReadonlyMap<string, Row<'files'>> = new Map(),
): Promise<z.infer<typeof Share>[]> {
  const people = await peopleRefs(
    ctx,
    shares.flatMap((share) => [share.person_id, share.created_by]),
  )
  return [...new Map(shares.map((share) => [share.id, share])).values()].map((share) => {
    const sharedFolder = share.file_id === fileRow.id ? undefined : above.get(share.file_id)
    const recipient =
      share.person_id === null
        ? undefined
        : (people.get(share.person_id) ?? { id: share.person_id, title: '' })
    return omitNullish({
      ...commonOf(share, file.url(fileRow, ctx.baseUrl), people),
      on: file.ref(fileRow, ctx.baseUrl),
      kind: share.kind,
      person: recipient,
      role: share.role,
      note:
        share.note !== null &&
        (share.person_id === ctx.actor.id || share.created_by === ctx.actor.id)
          ? share.note
          : undefined,
      has_password: share.password_hash !== null,
      expires_at: share.expires_at === null ? undefined : iso(share.expires_at),
      inherited_from: sharedFolder ? file.ref(sharedFolder, ctx.baseUrl) : undefined,
    })
  })
}

/** Versions of one visible file. */
export async function presentFileVersions(
  ctx: ReadContext,
  on: Row<'files'>,
  rows: readonly Row<'file_versions'>[],
): Promise<z.infer<typeof FileVersion>[]> {
  const people = await peopleRefs(
    ctx,
    rows.map((row) => row.created_by),
  )
  return rows.map((row) =>
    omitNullish({
      id: row.id,
      file: fileRef(on),
      number: row.number,
      size_bytes: row.size_bytes,
      mime_type: row.mime_type,
      author: people.get(row.created_by) ?? { id: row.created_by, title: '' },
      comment: row.comment,
      is_current: row.number === on.version,
      sha256: row.sha256 === '' ? undefined : row.sha256,
      created_at: iso(row.created_at),
      created_via: row.created_via,
    }),
  )
}

import type { WriteContext } from '../../../operations/context.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import { driveOf, rootOf } from '../files/access-folders.ts'
import type { SyncRun } from './sync-run.ts'

type FileRow = Row<'files'>

/** Whether a file has local content that Google does not have. */
export function hasUnsent(row: FileRow): boolean {
  return row.sha256 !== '' || row.remote_json === null
}

/**
 * Keeps files that Google rejects, or no longer has a place for, in the built-in drive of their owner, so that
 * nothing written here is lost.
 */
export async function saveToBuiltInDrive(
  { all }: TickContext,
  ctx: WriteContext,
  row: FileRow,
  why: string,
): Promise<void> {
  const ownDriveId = driveOf(row.owner_id)
  const parent =
    row.parent_id === null
      ? undefined
      : await all
          .selectFrom('files')
          .select(['id', 'drive_id'])
          .where('id', '=', row.parent_id)
          .executeTakeFirst()
  const parent_id = parent?.drive_id === ownDriveId ? parent.id : rootOf(row.owner_id)
  const copyRow =
    row.remote_json === null
      ? await ctx.change('files', row, {
          drive_id: ownDriveId,
          parent_id,
          remote_id: null,
          synced_revision: null,
        })
      : await addCopy(ctx, row, parent_id)
  ctx.notify(
    'automation',
    [row.owner_id],
    'files',
    copyRow,
    `A file could not be saved to Google Drive and was kept in the built-in drive: ${why}`,
  )
}

/** Copies the local content to a separate file. */
async function addCopy(
  ctx: WriteContext,
  row: FileRow,
  parent_id: FileRow['id'],
): Promise<FileRow> {
  const { name, name_folded, type, mime_type, size_bytes, sha256, trust, owner_id, description } =
    row
  const content = { mime_type, size_bytes, sha256, trust }
  const copy = await ctx.add('files', {
    ...content,
    name,
    name_folded,
    type,
    description,
    place: 'drive',
    drive_id: driveOf(owner_id),
    owner_id,
    parent_id,
    is_root: 0,
    content_base64: '',
    version: 1,
    modified_at: ctx.now,
    modified_by: ctx.actor.id,
    text_status: 'none',
  })
  await ctx.add('file_versions', { file_id: copy.id, number: 1, ...content, comment: null })
  return copy
}

/** The same for all unsent files of a drive that its owner can no longer access. */
export async function saveUnsentFilesOf(
  { job, account }: SyncRun,
  drive: Row<'drives'>,
): Promise<void> {
  await job.write(async (system) => {
    const rows = await system.all
      .selectFrom('files')
      .selectAll()
      .where('drive_id', '=', drive.id)
      .where('is_root', '=', 0)
      .where((eb) => eb.or([eb('remote_json', 'is', null), eb('sha256', '<>', '')]))
      .orderBy('id')
      .execute()
    if (rows.length === 0) return
    await system.as(
      account.owner_id,
      async (ctx) => {
        for (const row of rows)
          await saveToBuiltInDrive(
            system,
            ctx,
            row,
            `“${drive.name}” is no longer shared with you.`,
          )
      },
      { via: 'sync' },
    )
  })
}

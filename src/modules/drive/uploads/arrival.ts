import { blobSize, type Blob } from '../../../files/blobs.ts'
import type { OpenSent } from '../../../operations/public-pages.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { NoRights } from '../../../operations/jobs/job.ts'
import { file, fileVersion } from '../access.ts'
import { addFile } from '../files/creation.ts'

/** @throws Refusal conflict if an upload is complete or has expired */
export function requireOpen(
  { completed_at, expires_at }: Row<'upload_sessions'>,
  now: number,
): void {
  if (completed_at !== null)
    throw new Refusal('conflict', 'This upload address was already used; the file is stored.')
  if (expires_at <= now)
    throw new Refusal(
      'conflict',
      'This upload address has expired.',
      'Create another one with create_upload_session.',
    )
}

/**
 * Creates the file as the person who announced it, if they still may. An upload begun in time may end later.
 * @throws Refusal
 */
export async function createUploadedFile(
  sent: OpenSent,
  system: TickContext,
  { id }: Row<'upload_sessions'>,
  blob: Blob,
): Promise<Record<string, unknown>> {
  const session = await system.all
    .selectFrom('upload_sessions')
    .selectAll()
    .where('id', '=', id)
    .executeTakeFirstOrThrow()
  requireOpen(session, sent.now)
  if (blobSize(sent.settings.data, blob.sha256) !== blob.size)
    throw new Refusal(
      'unavailable',
      'The uploaded data is no longer on the disk.',
      'Send it again.',
    )
  return system.as(
    session.owner_id,
    async (ctx) => {
      if (ctx.actor.id !== session.owner_id)
        throw new NoRights('The person who created this upload session is no longer active.')
      const folder = await file.demand(ctx, session.folder_id, 'edit', 'folder_id')
      const fileRow = await addFile(ctx, {
        name: session.name,
        mime: session.mime_type,
        blob,
        folder,
      })
      await ctx.change('upload_sessions', session, {
        file_id: fileRow.id,
        completed_at: system.now,
      })
      const version = await fileVersion
        .of(ctx, [fileRow.id])
        .select('file_versions.id')
        .where('file_versions.number', '=', fileRow.version)
        .executeTakeFirst()
      return {
        session_id: session.id,
        status: 'completed',
        file_id: fileRow.id,
        version_id: version?.id,
        name: fileRow.name,
        size_bytes: fileRow.size_bytes,
        sha256: fileRow.sha256,
        url: file.url(fileRow, ctx.baseUrl),
      }
    },
    { key: session.key_id, via: 'api' },
  )
}

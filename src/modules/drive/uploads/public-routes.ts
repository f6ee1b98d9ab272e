// Where large files arrive: PUT /uploads/{token}. The token is the right to bring this one file, once; no one needs a key.

import { tokenHash } from '../../../keys/tokens.ts'
import { blobSize, receiveBlob, type Blob } from '../../../files/blobs.ts'
import type { OpenPage, OpenPlace, OpenSent } from '../../../operations/public-pages.ts'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import { invalid, notFound, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import { NoRights } from '../../../operations/jobs/job.ts'
import { file, fileVersion } from '../access.ts'
import { addFile } from '../files/creation.ts'
import { sessionOf } from './access.ts'

export const uploadPlaces: readonly OpenPlace[] = [
  { path: '/uploads/:token', read: async () => undefined, put: (sent) => take(sent) },
]

/** Uploads of this process that are under way: a token is used once, also at once. */
const underWay = new Map<string, Row<'users'>['id']>()
const mostUnderWay = 32
/** Of one person's: anyone who sends a byte now and then keeps no place from the others. */
const mostOfOne = 8

const tokenPattern = /^[A-Za-z0-9_-]{40,100}$/

async function take(sent: OpenSent): Promise<OpenPage | undefined> {
  const { token = '' } = sent.params
  const session = tokenPattern.test(token) ? await sessionOf(sent.all, tokenHash(token)) : undefined
  if (!session) throw notFound('upload')
  demandOpen(session, sent.now)
  if (underWay.has(session.id)) throw new Refusal('conflict', 'This upload is already in progress.')
  const own = [...underWay.values()].filter((owner) => owner === session.owner_id).length
  if (underWay.size >= mostUnderWay || own >= mostOfOne)
    throw new Refusal('unavailable', 'Too many uploads are in progress.', {
      retry_after_seconds: 10,
    })
  underWay.set(session.id, session.owner_id)
  try {
    return json(201, await taken(sent, session))
  } finally {
    underWay.delete(session.id)
  }
}

function demandOpen({ completed_at, expires_at }: Row<'upload_sessions'>, now: number): void {
  if (completed_at !== null)
    throw new Refusal('conflict', 'This upload address was already used; the file is stored.')
  if (expires_at <= now)
    throw new Refusal(
      'conflict',
      'This upload address has expired.',
      'Create another one with create_upload_session.',
    )
}

async function taken(
  sent: OpenSent,
  session: Row<'upload_sessions'>,
): Promise<Record<string, unknown>> {
  const announced = sent.header('content-length')
  if (announced !== undefined && Number(announced) !== session.size_bytes)
    throw invalid(
      'content-length',
      `the session is for ${session.size_bytes} bytes, not ${announced}.`,
    )
  if (!/^identity$/i.test(sent.header('content-encoding') ?? 'identity'))
    throw new Refusal('unsupported_media_type', 'Send the file as it is, without Content-Encoding.')
  const blob = await receiveBlob(sent.settings.data, sent.pieces(), {
    most: session.size_bytes,
    size: session.size_bytes,
    sha256: session.sha256 ?? undefined,
  })
  try {
    return await sent.write('upload_file', (system) => finish(sent, system, session, blob))
  } catch (error) {
    if (error instanceof NoRights)
      throw new Refusal(
        'permission_denied',
        'The person who created this upload session is no longer allowed to upload.',
      )
    throw error
  }
}

/** Makes the file in the name of the person who announced it, if they still may. */
async function finish(
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
  demandOpen(session, system.now)
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
      const made = await addFile(ctx, { name: session.name, mime: session.mime_type, blob, folder })
      await ctx.change('upload_sessions', session, { file_id: made.id, completed_at: system.now })
      const version = await fileVersion
        .of(ctx, [made.id])
        .select('file_versions.id')
        .where('file_versions.number', '=', made.version)
        .executeTakeFirst()
      return {
        session_id: session.id,
        status: 'completed',
        file_id: made.id,
        version_id: version?.id,
        name: made.name,
        size_bytes: made.size_bytes,
        sha256: made.sha256,
        url: file.url(made, ctx.baseUrl),
      }
    },
    { key: session.key_id, via: 'api' },
  )
}

function json(status: number, value: unknown): OpenPage {
  return {
    html: JSON.stringify(value),
    styles: '',
    type: 'application/json',
    status,
    isListed: false,
    cache: 'no-store',
  }
}

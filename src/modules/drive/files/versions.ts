import { z } from 'zod'
import { putBlob } from '../../../files/blobs.ts'
import { pageOf, paging, secret, shortText } from '../../../kernel/fields.ts'
import { operation } from '../../../operations/operation.ts'
import { paged, pageWithItems } from '../../../records/paging.ts'
import { invalid, Refusal } from '../../../kernel/refusal.ts'
import type { Row } from '../../../records/resource.ts'
import type { ReadContext } from '../../../operations/context.ts'
import { file, fileVersion } from '../access.ts'
import { addVersion } from './creation.ts'
import { FileVersion, presentFileVersions } from '../shapes.ts'
import { bytesFromInput, maxTextLength } from './text-inputs.ts'
import {
  prefetchContent,
  refreshVersions,
  refresh,
  type PrefetchedContent,
} from '../sync/downloads.ts'

export const updateFileContent = operation({
  name: 'update_file_content',
  searchHint: 'overwrite, save changes to a file, replace a document',
  kind: 'write',
  weight: 5,
  rest: 'PUT /api/files/{file_id}/content',
  about: 'Write a new version of a file, keeping its id, links and history',
  on: {
    file: file.edit,
    expected: fileVersion.see
      .of('file', 'file_id')
      .maybe.named('expected_version_id')
      .describe('fails if the current version is a different one'),
  },
  input: {
    content_text: secret(z.string().max(maxTextLength)).optional(),
    content_base64: secret(z.string().max(2 * maxTextLength)).optional(),
    comment: secret(shortText(1000))
      .optional()
      .describe('summary of the change, for the version list'),
  },
  output: FileVersion,
  fetch: async ({ file: row, expected }, outside) => (expected ? refresh(outside, row) : undefined),
  async handle({ file: row, expected, content_text, content_base64, comment }, ctx) {
    await requireExpectedVersion(ctx, row, expected)
    const bytes = bytesFromInput({ content_text, content_base64 })
    if (!bytes)
      throw invalid(
        'content_text',
        'nothing to write.',
        'Send exactly one of content_text and content_base64. For larger content, upload a new file with create_upload_session.',
      )
    const { row: now, version } = await addVersion(ctx, row, putBlob(ctx.settings.data, bytes), {
      comment,
    })
    return (await presentFileVersions(ctx, now, [version]))[0]!
  },
})

async function requireExpectedVersion(
  ctx: ReadContext,
  row: Row<'files'>,
  expected: Row<'file_versions'> | undefined,
): Promise<void> {
  if (!expected || expected.number === row.version) return
  const currentVersion = await fileVersion
    .of(ctx, [row.id])
    .select('file_versions.id')
    .where('file_versions.number', '=', row.version)
    .executeTakeFirst()
  throw new Refusal('conflict', 'This file has a newer version.', {
    field: 'expected_version_id',
    hint: 'Read it, then apply your changes to it.',
    context: { present_version_id: currentVersion?.id },
  })
}

export const listFileVersions = operation({
  name: 'list_file_versions',
  searchHint: 'file history, older copies',
  kind: 'read',
  rest: 'GET /api/files/{file_id}/versions',
  about: 'Earlier versions with author, size and comment',
  on: { file: file.see },
  input: { ...paging },
  output: pageOf(FileVersion),
  fetch: async ({ file: row, cursor }, outside) =>
    cursor === undefined ? refreshVersions(outside, row) : undefined,
  async handle({ file: row, limit, cursor }, ctx) {
    const query = fileVersion.of(ctx, [row.id]).selectAll('file_versions')
    const page = await paged(
      query,
      [
        { by: 'file_versions.number', as: 'number', dir: 'desc' },
        { by: 'file_versions.id', as: 'id', dir: 'desc' },
      ],
      { limit, cursor },
    )
    return pageWithItems(page, await presentFileVersions(ctx, row, page.items))
  },
})

export const restoreFileVersion = operation({
  name: 'restore_file_version',
  searchHint: 'roll back a file, go back to the old document',
  kind: 'write',
  rest: 'POST /api/files/{file_id}/versions/{version_id}/restore',
  about: 'Make an earlier version the current one, as a new version',
  on: { file: file.edit, version: fileVersion.see.of('file', 'file_id') },
  output: FileVersion,
  fetch: ({ file: row, version }, outside) => prefetchContent(outside, row, version),
  async handle({ file: row, version }, ctx) {
    const { sha256, size_bytes, mime_type, trust, number } = version
    const { blob = { sha256, size: size_bytes } } =
      (ctx.prefetched as PrefetchedContent | undefined) ?? {}
    if (blob.sha256 === '')
      throw new Refusal(
        'not_connected',
        'The content of this version is in a connected Google drive.',
        'Call restore_file_version directly.',
      )
    const restored = await addVersion(ctx, row, blob, {
      trust,
      mime: mime_type,
      comment: `Restored version ${number}`,
    })
    return (await presentFileVersions(ctx, restored.row, [restored.version]))[0]!
  },
})

import type { Kysely } from 'kysely'
import type { Blob } from '../../../files/blobs.ts'
import type { Row } from '../../../records/resource.ts'
import type { Tables } from '../../../db/tables.ts'

/** A batch of files whose content is still in the database. */
export function filesWithInlineContent(
  all: Kysely<Tables>,
): Promise<Pick<Row<'files'>, 'id' | 'content_base64'>[]> {
  return all
    .selectFrom('files')
    .select(['id', 'content_base64'])
    .where('content_base64', '<>', '')
    .orderBy('id')
    .limit(20)
    .execute()
}

/** Records that the content of a file is now stored on disk. */
export async function markStoredOnDisk(
  all: Kysely<Tables>,
  id: Row<'files'>['id'],
  { sha256, size }: Blob,
): Promise<void> {
  await all
    .updateTable('files')
    .set({ content_base64: '', sha256, size_bytes: size })
    .where('id', '=', id)
    .execute()
}

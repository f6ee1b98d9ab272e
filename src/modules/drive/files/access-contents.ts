import type { Kysely } from 'kysely'
import type { Blob } from '../../../files/blobs.ts'
import type { Row } from '../../../records/resource.ts'
import type { Tables } from '../../../db/tables.ts'

/** Some of the files whose content is in the database still. */
export function restingFiles(
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

/** The content of a file is on the disk from now on. */
export async function detachBlob(
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

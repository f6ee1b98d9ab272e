import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { deleteBlob } from './blobs.ts'

/** Whether any row references a blob. */
async function isBlobUsed(db: Kysely<Tables>, sha256: string): Promise<boolean> {
  const version = await db
    .selectFrom('file_versions')
    .select('id')
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  if (version) return true
  return (
    (await db
      .selectFrom('files')
      .select('id')
      .where('sha256', '=', sha256)
      .where('content_base64', '=', '')
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Deletes an unreferenced content from the disk, inside a writer job so that no reference can appear meanwhile. */
export async function deleteUnusedBlob(
  all: Kysely<Tables>,
  dataDir: string,
  sha256: string,
): Promise<boolean> {
  if (sha256 === '' || (await isBlobUsed(all, sha256))) return false
  deleteBlob(dataDir, sha256)
  return true
}

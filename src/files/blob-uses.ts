import type { Kysely } from 'kysely'
import type { Tables } from '../db/tables.ts'
import { dropBlob } from './blobs.ts'

/** Whether any row references a content. */
async function isBlobUsed(all: Kysely<Tables>, sha256: string): Promise<boolean> {
  const ofVersion = await all
    .selectFrom('file_versions')
    .select('id')
    .where('sha256', '=', sha256)
    .limit(1)
    .executeTakeFirst()
  if (ofVersion) return true
  return (
    (await all
      .selectFrom('files')
      .select('id')
      .where('sha256', '=', sha256)
      .where('content_base64', '=', '')
      .limit(1)
      .executeTakeFirst()) !== undefined
  )
}

/** Deletes an unreferenced content from the disk, inside a writer job so that no reference can appear meanwhile. */
export async function dropUnusedBlob(
  all: Kysely<Tables>,
  dataDir: string,
  sha256: string,
): Promise<boolean> {
  if (sha256 === '' || (await isBlobUsed(all, sha256))) return false
  dropBlob(dataDir, sha256)
  return true
}

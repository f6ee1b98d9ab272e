import type { Kysely } from 'kysely'
import { tokenHash } from '../../../keys/tokens.ts'
import type { Id } from '../../../kernel/ids.ts'
import type { Row } from '../../../records/resource.ts'
import type { Tables } from '../../../db/tables.ts'

const tokenPattern = /^[A-Za-z0-9_-]{40,100}$/

/** The upload session of a token; anyone with the token may upload that file. */
export async function sessionOf(
  all: Kysely<Tables>,
  token: string,
): Promise<Row<'upload_sessions'> | undefined> {
  if (!tokenPattern.test(token)) return undefined
  return all
    .selectFrom('upload_sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash(token))
    .executeTakeFirst()
}

/** Changes when an incomplete upload expires. */
export async function setUploadExpiry(
  all: Kysely<Tables>,
  id: Id<'upload_sessions'>,
  expires_at: number,
): Promise<void> {
  await all
    .updateTable('upload_sessions')
    .set({ expires_at })
    .where('id', '=', id)
    .where('completed_at', 'is', null)
    .execute()
}

/** Filters uploads to those that can still be continued. */
export async function openUploads(
  all: Kysely<Tables>,
  ids: readonly string[],
  now: number,
): Promise<Set<string>> {
  const rows = await all
    .selectFrom('upload_sessions')
    .select('id')
    .where('id', 'in', ids as Id<'upload_sessions'>[])
    .where('completed_at', 'is', null)
    .where('expires_at', '>', now)
    .execute()
  return new Set(rows.map(({ id }) => id))
}

import type { Kysely } from 'kysely'
import type { Row } from '../../../records/resource.ts'
import type { Tables } from '../../../db/tables.ts'

/** The upload that a token was given for: anyone who has it may bring that file. */
export function sessionOf(
  all: Kysely<Tables>,
  tokenHash: string,
): Promise<Row<'upload_sessions'> | undefined> {
  return all
    .selectFrom('upload_sessions')
    .selectAll()
    .where('token_hash', '=', tokenHash)
    .executeTakeFirst()
}

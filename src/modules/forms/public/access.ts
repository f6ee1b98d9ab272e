import type { Kysely } from 'kysely'
import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'
import type { Tables } from '../../../db/tables.ts'

/** The form at an address, regardless of the visitor; returns its organization too. */
export function formBySlug(all: Kysely<Tables>, slug: string): Promise<Row<'forms'> | undefined> {
  return all
    .selectFrom('forms')
    .selectAll()
    .where('slug', '=', slug)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

/** The current row of a form, read inside the transaction that stores a response. */
export function readCurrentForm(
  { all }: TickContext,
  { id }: Row<'forms'>,
): Promise<Row<'forms'> | undefined> {
  return all
    .selectFrom('forms')
    .selectAll()
    .where('id', '=', id)
    .where('deleted_at', 'is', null)
    .executeTakeFirst()
}

import type { TickContext } from '../../../operations/jobs/tick.ts'
import type { Row } from '../../../records/resource.ts'

/** A message as it is now, and whether its owner may act. */
export async function emailNow(
  { all }: Pick<TickContext, 'all'>,
  id: Row<'emails'>['id'],
): Promise<{ row: Row<'emails'>; isActive: boolean } | undefined> {
  const row = await all.selectFrom('emails').selectAll().where('id', '=', id).executeTakeFirst()
  const owner =
    row &&
    (await all
      .selectFrom('users')
      .select('status')
      .where('id', '=', row.owner_id as Row<'users'>['id'])
      .executeTakeFirst())
  return row && { row, isActive: owner?.status === 'active' }
}

/** Writes what became of a message, unrecorded: on its way to the server, or where no one is left in whose name it could be recorded. */
export async function changeEmail(
  { all }: Pick<TickContext, 'all'>,
  id: string,
  patch: Partial<Pick<Row<'emails'>, 'delivery' | 'delivery_problem'>>,
): Promise<void> {
  await all
    .updateTable('emails')
    .set(patch)
    .where('id', '=', id as Row<'emails'>['id'])
    .execute()
}

/** The same for a message that was scheduled by someone who may act no more: it does not go out, and is a draft again should they come back. */
export async function stopScheduled(
  { all }: Pick<TickContext, 'all'>,
  { id, draft_id }: Pick<Row<'scheduled_emails'>, 'id' | 'draft_id'>,
  problem: string,
): Promise<void> {
  await all
    .updateTable('scheduled_emails')
    .set({ status: 'failed', problem })
    .where('id', '=', id)
    .execute()
  await all
    .updateTable('email_drafts')
    .set({ state: 'draft' })
    .where('id', '=', draft_id as Row<'email_drafts'>['id'])
    .where('state', '=', 'scheduled')
    .execute()
}
